// One server's turn at the work of one host: its steps one after the other, each saved before the next, until nothing is left or
// something has to be waited for.

import type { Claim, Release } from '../../domain/agenda.ts';
import type { Host } from '../../domain/host.ts';
import type { Learned } from '../../domain/learned.ts';
import type { SavedWork, Work } from '../../domain/work.ts';
import { again } from '../../operations/outcomes.ts';
import type { Operation, Outcome, Step } from '../../operations/step.ts';
import type { HostChange } from '../change-host.ts';
import { changeHost } from '../change-host.ts';
import { giveUpClaim } from '../give-up-claim.ts';
import type { Lease } from '../lease.ts';
import { LostClaim } from '../lease.ts';
import type { LeasedLink } from '../leased-link.ts';
import { openLink } from '../open-link.ts';
import type { EnginePorts } from '../ports.ts';
import { recordLearned } from '../record-learned.ts';
import { nextMove } from './next-move.ts';
import { stepContext } from './step-context.ts';

/** The kind of the work picks the operation, so that each of its steps gets the work and the host that it is written for. */
type AnyOperation = Omit<Operation<Work, Host | null>, 'needsHost'> & { readonly needsHost: boolean };

/** A step of some work, and what it belongs to. */
interface Attempt {
  readonly saved: SavedWork;
  readonly operation: AnyOperation;
  readonly step: Step<Work, Host | null>;
  readonly tookMs: number;
}

export class WorkTurn {
  readonly #ports: EnginePorts;
  readonly #lease: Lease;
  readonly #claim: Claim;
  /** Each work has a connection of its own: it may be for another host at the same address. */
  #link: { readonly workId: number; readonly link: LeasedLink } | undefined;
  #hasFacts = false;

  constructor(ports: EnginePorts, lease: Lease, claim: Claim) {
    this.#ports = ports;
    this.#lease = lease;
    this.#claim = claim;
  }

  /** Ends when the claim is given up. Between two steps it looks at `isStopping`. */
  async run(isStopping: () => boolean): Promise<void> {
    try {
      while (!isStopping() && (await this.#advance()));
    } finally {
      this.#link?.link.close();
    }
  }

  /** One step further; `false` when the claim was given up. */
  async #advance(): Promise<boolean> {
    const { store, operations, clock } = this.#ports;
    const saved = await store.reads.work.nextDue(this.#claim.host, await store.reads.nowMs());
    if (saved === undefined) return this.#change(change => this.#goOn(change));
    const operation: AnyOperation = operations[saved.work.kind];
    const found = await store.reads.hosts.get(this.#claim.host);
    const host = found?.enrolment === saved.work.enrolment ? found : null;
    const step = operation.steps.find(({ name }) => !Object.hasOwn(saved.progress.done, name));
    if (step === undefined || (host === null && operation.needsHost)) {
      return this.#change(change => this.#drop(change, saved));
    }
    const begunMs = clock.monotonicMs();
    const outcome = await this.#tryStep(step, saved, host);
    const attempt = { saved, operation, step, tookMs: clock.monotonicMs() - begunMs };
    return this.#change(change => this.#save(change, attempt, outcome));
  }

  async #tryStep(step: Step<Work, Host | null>, saved: SavedWork, host: Host | null) {
    const seen = { saved, step: step.name, host, link: this.#linkFor(saved) };
    try {
      return await step.run(await stepContext(this.#ports, this.#lease, this.#claim, seen));
    } catch (error) {
      if (error instanceof LostClaim) throw error;
      this.#ports.log.error({ err: error, host: this.#claim.host, step: step.name }, 'a step broke');
      return again('internal_error: the step broke; the log of the server says more');
    }
  }

  #linkFor({ id, work }: SavedWork): LeasedLink {
    if (this.#link?.workId === id) return this.#link.link;
    this.#link?.link.close();
    const link = openLink(this.#ports, this.#lease, { address: work.host, enrolment: work.enrolment });
    this.#link = { workId: id, link };
    return link;
  }

  #change<T>(work: (change: HostChange) => Promise<T>): Promise<T> {
    return changeHost(this.#ports, this.#lease, this.#claim, work);
  }

  async #save(
    change: HostChange,
    { saved, operation, step, tookMs }: Attempt,
    outcome: Outcome,
  ): Promise<boolean> {
    const { records, nowMs } = change;
    // The host was removed meanwhile, or somebody has asked to begin anew.
    if (!(await records.work.isThere(saved.id))) return true;
    const host = change.host?.enrolment === saved.work.enrolment ? change.host : undefined;
    const isLastStep = step === operation.steps.at(-1);
    const { progress } = saved;
    const move = nextMove(outcome, { progress, step, isLastStep, tookMs, chance: this.#ports.chance() });
    const learned = outcome.kind === 'again' ? {} : outcome.learned;
    this.#hasFacts ||= learned.facts !== undefined;
    // Another host that is at the address by now is left as it is, and stays watched.
    const known = async (about: Learned) =>
      host ? { ...change, host: await recordLearned(change, host, about) } : change;
    switch (move.kind) {
      case 'next step':
        await known(learned);
        await records.work.setProgress(saved.id, move.progress, nowMs);
        return true;
      case 'finished':
        return this.#drop(await known(learned), saved);
      case 'pause':
        await records.work.setProgress(saved.id, move.progress, nowMs + move.pauseMs);
        return this.#goOn(change);
      case 'given up': {
        const cause = learned.cause ?? operation.causeOfFailure;
        const failure = { ...learned, reason: move.problem, ...(cause && { cause }) };
        const { log } = this.#ports;
        log.warn({ host: saved.work.host, work: operation.kind, problem: move.problem }, 'work was given up');
        return this.#drop(await known(failure), saved);
      }
    }
  }

  /** The work is over, one way or the other; goes on with what comes after it, if something does. */
  async #drop(change: HostChange, saved: SavedWork): Promise<boolean> {
    await change.records.work.remove(saved.id);
    return this.#goOn(change);
  }

  /** Gives the claim up when nothing more is due now. */
  async #goOn(change: HostChange): Promise<boolean> {
    const { records, nowMs } = change;
    const workDueAt = await records.work.earliestDue(this.#claim.host);
    if (workDueAt !== null && workDueAt <= nowMs) return true;
    const { factsEveryMs } = this.#ports.settings;
    const facts = this.#hasFacts && { factsDueAt: nowMs + factsEveryMs, failures: 0 };
    const release: Release = { workDueAt, check: this.#hasFacts ? 'next slot' : 'as it was', ...facts };
    await giveUpClaim(this.#ports, change, this.#claim, release);
    return false;
  }
}
