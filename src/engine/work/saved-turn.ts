// What a turn writes: how far each piece of work has come, what was learnt about its host, and, for work of an operation, how far that has come.

import type { Host } from '../../domain/hosts/host.ts';
import type { Learned } from '../../domain/hosts/learned.ts';
import type { SkipReason } from '../../domain/vocabulary.ts';
import type { Claim, ContactResult, Release } from '../../domain/work/agenda.ts';
import type { Progress, Retreat, SavedWork, Work } from '../../domain/work/work.ts';
import { isOperationWork, NOT_BEGUN } from '../../domain/work/work.ts';
import type { AnyProcedure } from '../../operations/index.ts';
import type { Step } from '../../operations/step.ts';
import type { HostChange } from '../change-host.ts';
import { giveUpClaim } from '../give-up-claim.ts';
import type { TurnPorts } from '../ports.ts';
import { recordLearned } from '../record-learned.ts';
import type { Move } from './next-move.ts';
import { noteDelay, noteEnd, noteGone, noteRetreated, noteStep } from './operation-notes.ts';
import type { HeardOutput } from './step-output.ts';

export type AnyStep = Step<Work, Host | null>;

/** A step of some work, and what it belongs to. */
interface AtStep {
  readonly saved: SavedWork;
  readonly procedure: AnyProcedure;
  readonly step: AnyStep;
}

/** The same, when it was tried. */
interface Tried extends AtStep {
  readonly heard: HeardOutput | undefined;
  readonly unwanted: SkipReason | null;
}

export class SavedTurn {
  readonly #ports: TurnPorts;
  readonly #claim: Claim;
  #hasFacts = false;
  /** A host that an operation has in hand is looked at by nobody else. */
  #isInFlight = false;
  /** The host was given up: whether it answers again is found out at once. */
  #isCheckDue = false;
  /** How the last contact with the host ended, as far as it says something about the host. */
  contact: ContactResult | undefined;

  constructor(ports: TurnPorts, claim: Claim) {
    this.#ports = ports;
    this.#claim = claim;
  }

  /** Writes what a step came to; `false` when the claim was given up. */
  async save(change: HostChange, tried: Tried, move: Move): Promise<boolean> {
    const { saved, heard, step } = tried;
    const { records, nowMs } = change;
    // The host was removed meanwhile, or somebody has asked to begin anew.
    if (!(await records.work.isThere(saved.id))) return true;
    if (heard) await this.saveOutput(change, saved, step.name, heard);
    switch (move.kind) {
      case 'next step':
        await this.#known(change, saved, move.learned);
        return this.#goTo(change, tried, move.progress);
      case 'finished':
        return this.#finish(change, saved, move);
      case 'pause':
        await records.work.setProgress(saved.id, move.progress, nowMs + move.pauseMs);
        await noteDelay(change, saved.work, { ...move, problem: move.progress.problem });
        this.#isInFlight = saved.work.kind === 'rollout';
        return this.goOn(change);
      case 'aborted':
        return this.retreat(change, tried, tried.unwanted ?? 'cancelled');
      case 'given up':
        return this.#giveUp(change, tried, move);
    }
  }

  /** Begins to put in order what would be left behind; where nothing would, it is over. */
  async retreat(
    change: HostChange,
    { saved, procedure, step }: AtStep,
    why: Retreat['why'],
    problem = '',
  ): Promise<boolean> {
    const retreat: Retreat = { from: step.name, why, problem };
    const progress = { ...NOT_BEGUN, done: saved.progress.done, retreat };
    const steps = procedure.retreatFrom?.(retreat) ?? [];
    if (steps.length === 0) return this.#endRetreat(change, saved, progress, retreat);
    await change.records.work.setProgress(saved.id, progress, change.nowMs);
    return true;
  }

  /** Nothing is left to be done. */
  end(change: HostChange, saved: SavedWork): Promise<boolean> {
    return this.#finish(change, saved, { progress: saved.progress, isSettled: false, learned: {} });
  }

  /** The work is over, one way or the other; goes on with what comes after it, if something does. */
  async drop(change: HostChange, saved: SavedWork): Promise<boolean> {
    await change.records.work.remove(saved.id);
    this.#isInFlight = false;
    return this.goOn(change);
  }

  /** The host is not there any more, and nothing can be done on it. */
  async dropGone(change: HostChange, saved: SavedWork): Promise<boolean> {
    await noteGone(change, saved.work);
    return this.drop(change, saved);
  }

  /** Gives the claim up when nothing more is due now. */
  async goOn(change: HostChange): Promise<boolean> {
    const { records, nowMs } = change;
    const workDueAt = await records.work.earliestDue(this.#claim.host);
    if (workDueAt !== null && workDueAt <= nowMs) return true;
    const { factsEveryMs } = this.#ports.settings;
    const facts = this.#hasFacts && { factsDueAt: nowMs + factsEveryMs, failures: 0 };
    const contact = this.contact && { contact: this.contact };
    const release: Release = { workDueAt, check: this.#nextCheck(nowMs), ...facts, ...contact };
    await giveUpClaim(this.#ports, change, this.#claim, release);
    return false;
  }

  /** A step takes long: whether its host has answered meanwhile, and how long it has taken, survive the end of this server. */
  async saveHeartbeat(
    { records, nowMs }: HostChange,
    { id, progress }: SavedWork,
    step: string,
    { isAnswered, elapsedMs }: { readonly isAnswered: boolean; readonly elapsedMs: number },
  ): Promise<void> {
    if (!(await records.work.isThere(id))) return;
    const spentMs = Math.round(progress.spentMs + elapsedMs);
    await records.work.setProgress(id, { ...progress, step, spentMs }, nowMs);
    if (isAnswered) await records.claims.noteContact(this.#claim.host, 'answered', nowMs);
  }

  #nextCheck(nowMs: number): Release['check'] {
    if (this.#isInFlight) return 'unwatched';
    if (this.#isCheckDue) return { at: nowMs };
    return this.#hasFacts ? 'next slot' : 'as it was';
  }

  async saveOutput(
    { records, at, outputSaved }: HostChange,
    { work }: SavedWork,
    step: string,
    heard: HeardOutput,
  ): Promise<void> {
    if (!isOperationWork(work)) return;
    const { operation, cluster, host, attempt } = work;
    await records.operationOutput.save({ operation, host, attempt, step }, { ...heard, at });
    outputSaved({ operation, cluster, host });
  }

  async #goTo(change: HostChange, { saved, procedure }: AtStep, progress: Progress): Promise<boolean> {
    await change.records.work.setProgress(saved.id, progress, change.nowMs);
    await noteStep(change, saved.work, procedure, progress);
    return true;
  }

  async #finish(
    change: HostChange,
    saved: SavedWork,
    { progress, isSettled, learned }: Omit<Extract<Move, { kind: 'finished' }>, 'kind'>,
  ): Promise<boolean> {
    if (progress.retreat) return this.#endRetreat(change, saved, progress, progress.retreat);
    const end = await noteEnd(change, saved.work, progress, { isSettled });
    return this.drop(await this.#known(change, saved, { ...learned, ...end }), saved);
  }

  async #giveUp(
    change: HostChange,
    tried: AtStep,
    { problem, learned }: Extract<Move, { kind: 'given up' }>,
  ): Promise<boolean> {
    const { saved, procedure, step } = tried;
    const { progress, work } = saved;
    if (progress.retreat) return this.#leaveBehind(change, tried, progress.retreat, problem);
    this.#ports.log.warn({ host: work.host, task: work.kind, problem }, 'task failed');
    const cause = learned.cause ?? procedure.causeOfFailure;
    // What an operation could not do says nothing of why the host is as it is.
    const known = await this.#known(change, saved, { ...learned, ...(cause && { cause, reason: problem }) });
    const keepsSlot = procedure.isTelling?.(step.name) ?? false;
    return this.retreat(known, tried, { kind: 'failed', keepsSlot }, problem);
  }

  /** What cannot be put in order is left, and the record says so. */
  async #leaveBehind(
    change: HostChange,
    { saved, step }: AtStep,
    retreat: Retreat,
    problem: string,
  ): Promise<boolean> {
    const done = { ...saved.progress.done, [step.name]: { problem } };
    await change.records.work.setProgress(saved.id, { ...NOT_BEGUN, done, retreat }, change.nowMs);
    return true;
  }

  async #endRetreat(
    change: HostChange,
    saved: SavedWork,
    progress: Progress,
    retreat: Retreat,
  ): Promise<boolean> {
    await noteRetreated(change, saved.work, progress, retreat);
    this.#isCheckDue = isOperationWork(saved.work);
    return this.drop(change, saved);
  }

  /** Another host that is at the address by now is left as it is, and stays watched. */
  async #known(change: HostChange, { work }: SavedWork, learned: Learned): Promise<HostChange> {
    this.#hasFacts ||= learned.facts !== undefined;
    const { host } = change;
    if (host?.enrolment !== work.enrolment) return change;
    return { ...change, host: await recordLearned(change, host, learned) };
  }
}
