// One server's turn at the work of one host: its steps one after the other, each saved before the next, until nothing is left or
// something has to be waited for.

import { SecretDamaged } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { isReady } from '../../domain/hosts/host-status.ts';
import type { SkipReason } from '../../domain/vocabulary.ts';
import type { Claim } from '../../domain/work/agenda.ts';
import type { SavedWork, Work } from '../../domain/work/work.ts';
import { isOperationWork } from '../../domain/work/work.ts';
import type { AnyProcedure } from '../../operations/index.ts';
import type { JobEnd } from '../../operations/jobs/job-end.ts';
import { again } from '../../operations/outcomes.ts';
import type { Outcome, Step } from '../../operations/step.ts';
import { neededSteps } from '../../operations/step.ts';
import type { HostChange } from '../change-host.ts';
import { changeHost } from '../change-host.ts';
import type { Lease } from '../lease.ts';
import { LostClaim } from '../lease.ts';
import type { LeasedLink } from '../leased-link.ts';
import { openLink } from '../open-link.ts';
import type { TurnPorts } from '../ports.ts';
import { callWitnesses } from '../watch/call-witnesses.ts';
import type { PartitionDetector } from '../watch/partition-detector.ts';
import { nextMove } from './next-move.ts';
import type { AnyStep } from './saved-turn.ts';
import { SavedTurn } from './saved-turn.ts';
import { stepContext } from './step-context.ts';
import { StepHeartbeat } from './step-heartbeat.ts';
import type { HeardOutput } from './step-output.ts';
import { StepOutput } from './step-output.ts';
import { WorkSpans } from './work-spans.ts';

/** A piece of work that is due, and the step that it has come to. */
interface Due {
  readonly saved: SavedWork;
  readonly procedure: AnyProcedure;
  /** `undefined`: none is left. */
  readonly step: AnyStep | undefined;
  readonly isLastStep: boolean;
  readonly host: Host | null;
  readonly nowMs: number;
}

/** How the host is reached for one piece of work, and what is traced of it meanwhile. */
interface Way {
  readonly workId: number;
  readonly link: LeasedLink;
  readonly spans: WorkSpans | null;
}

/**
 * Whether the silence of a host can mean that the server has lost its network. A host in flight answered when it got its slot. A host that is
 * prepared, and was lost before, was judged then. A host that is being bootstrapped may never have answered.
 */
const isEvidence = ({ saved: { work }, host }: Pick<Due, 'saved' | 'host'>): boolean =>
  work.kind === 'rollout' || (work.kind === 'stage' && host !== null && isReady(host.status));

/** The longest time for which a silent host is tried after its deadline, while the server is connected. */
const LONGEST_OVERDUE_MS = 60_000;

const untraced = async (run: () => Promise<Outcome>) => ({ outcome: await run(), untold: 0 });

export class WorkTurn {
  readonly #ports: TurnPorts;
  readonly #lease: Lease;
  readonly #claim: Claim;
  readonly #partition: PartitionDetector;
  readonly #saved: SavedTurn;
  /** Each work has a connection of its own: it may be for another host at the same address. */
  #way: Way | undefined;

  constructor(ports: TurnPorts, lease: Lease, claim: Claim, partition: PartitionDetector) {
    this.#ports = ports;
    this.#partition = partition;
    this.#lease = lease;
    this.#claim = claim;
    this.#saved = new SavedTurn(ports, claim);
  }

  /** Ends when the claim is given up. Between two steps it looks at `isStopping`. */
  async run(isStopping: () => boolean): Promise<void> {
    try {
      while (!isStopping() && (await this.#advance()));
    } finally {
      this.#leave();
    }
  }

  /** One step further; `false` when the claim was given up. */
  async #advance(): Promise<boolean> {
    const due = await this.#lookUp();
    if (due === undefined) return this.#change(change => this.#saved.goOn(change));
    const { saved, procedure, step, isLastStep, host } = due;
    if (host === null && procedure.needsHost)
      return this.#change(change => this.#saved.dropGone(change, saved));
    if (step === undefined) return this.#change(change => this.#saved.end(change, saved));
    const unwanted = await this.#unwanted(saved);
    if (unwanted && procedure.stanceOf?.(step.name, unwanted) === 'retreat')
      return this.#change(change => this.#saved.retreat(change, { saved, procedure, step }, unwanted));
    const { clock, chance, meter } = this.#ports;
    const begunMs = clock.monotonicMs();
    const { outcome, untold, heard } = await this.#tryStep(due, step, unwanted);
    const tookMs = clock.monotonicMs() - begunMs;
    const contact = this.#way?.link.contact;
    const isSilent = contact === 'failed' && outcome.kind === 'retry' && outcome.isSilence;
    // A host that reboots is expected to be silent.
    const isExpected = isSilent && step.phase === 'rebooting';
    if (isEvidence(due) && contact !== undefined && !isExpected) {
      this.#partition.note(saved.work.host, !isSilent);
      await this.#judgeSilence();
    }
    const { isPartitioned } = this.#partition;
    this.#saved.contact = isPartitioned && contact === 'failed' ? undefined : contact;
    meter?.stepEnded(saved.work.kind, step.name, outcome.kind, tookMs / 1000);
    const situation = {
      progress: { ...saved.progress, untold },
      step,
      isLastStep,
      tookMs,
      chance: chance(),
      isPartitioned,
      isSilenceTrusted: true,
    };
    const move = nextMove(outcome, situation);
    const isUntrusted = move.kind === 'given up' && isSilent && !(await this.#isSilenceTrusted(due, tookMs));
    const attempt = { saved, procedure, step, heard, unwanted };
    return this.#change(change =>
      this.#saved.save(
        change,
        attempt,
        isUntrusted ? nextMove(outcome, { ...situation, isSilenceTrusted: false }) : move,
      ),
    );
  }

  /** Before a host fails because it is silent, other hosts are checked: the server may have lost its own network. */
  async #isSilenceTrusted(due: Due, tookMs: number): Promise<boolean> {
    if (!isEvidence(due)) return true;
    // A host may answer checks and not this step. The number of silent hosts then never decides, so the time does.
    const overdueMs = due.saved.progress.spentMs + tookMs - (due.step?.patience.giveUpAfterMs ?? 0);
    if (overdueMs > LONGEST_OVERDUE_MS) return !this.#partition.isPartitioned;
    this.#partition.note(this.#claim.host, false);
    await this.#judgeSilence();
    return !this.#partition.isPartitioned && this.#partition.isTrusted(this.#claim.host);
  }

  /** Whether the host or the server is cut off. Where too few other hosts were checked since the host is silent, some are checked first. */
  async #judgeSilence(): Promise<void> {
    const { host } = this.#claim;
    const partition = this.#partition;
    const next = partition.nextForStep(host);
    if (next === undefined) return;
    const areOthersToBeChecked =
      next === 'call witnesses' &&
      (await this.#ports.store.transaction(async records =>
        callWitnesses(partition, records, host, await records.nowMs()),
      ));
    if (areOthersToBeChecked) return;
    // A host in flight is not lost: its silence still counts together with that of others, and its phase has a deadline.
    if (partition.judge(host) === 'partitioned') partition.conclude(host, 'partitioned');
    else partition.trust(host);
  }

  /** The oldest that is due. */
  async #lookUp(): Promise<Due | undefined> {
    const { store, operations } = this.#ports;
    const nowMs = await store.reads.nowMs();
    const saved = await store.reads.work.nextDue(this.#claim.host, nowMs);
    if (saved === undefined) return undefined;
    const procedure = operations.procedureFor(saved.work);
    const { done, retreat } = saved.progress;
    const all = retreat ? (procedure.retreatFrom?.(retreat) ?? []) : procedure.steps;
    const steps = neededSteps(all, saved.progress);
    const step = steps.find(({ name }) => !Object.hasOwn(done, name));
    const found = await store.reads.hosts.get(this.#claim.host);
    const host = found?.enrolment === saved.work.enrolment ? found : null;
    return { saved, procedure, step, isLastStep: step === steps.at(-1), host, nowMs };
  }

  /** Why the host should not be gone on with; null: it should, or it is being put in order already. */
  async #unwanted({ work, progress }: SavedWork): Promise<SkipReason | null> {
    if (!isOperationWork(work) || progress.retreat) return null;
    const planned = await this.#ports.store.reads.operationHosts.get(work.operation, work.host);
    return planned?.unwanted ?? null;
  }

  async #tryStep(
    { saved, host, nowMs }: Due,
    step: Step<Work, Host | null>,
    unwanted: SkipReason | null,
  ): Promise<{ outcome: Outcome; untold: number; heard: HeardOutput | undefined }> {
    const output = new StepOutput(this.#ports.clock, heard =>
      this.#change(change => this.#saved.saveOutput(change, saved, step.name, heard)),
    );
    const hear = (bytes: Uint8Array) => output.hear(bytes);
    const { link, spans } = this.#wayFor(saved);
    const jobEnded = (end: JobEnd) => {
      this.#ports.meter?.jobEnded(end.result);
      spans?.job(end);
    };
    const seen = { saved, step: step.name, host, link, spans, unwanted, nowMs, hear, jobEnded };
    const run = async () => step.run(await stepContext(this.#ports, this.#lease, this.#claim, seen));
    const beat = new StepHeartbeat(this.#ports.clock, link, (isAnswered, elapsedMs) =>
      this.#change(change =>
        this.#saved.saveHeartbeat(change, saved, step.name, {
          isAnswered,
          elapsedMs: this.#partition.isPartitioned ? 0 : elapsedMs,
        }),
      ),
    );
    try {
      const tried = await (spans?.step(step.name, saved.progress, run) ?? untraced(run));
      await beat.stop();
      return { ...tried, heard: await output.end() };
    } catch (error) {
      await beat.stop();
      const heard = await output.end();
      if (error instanceof LostClaim) throw error;
      this.#ports.log.error(
        { err: error, host: this.#claim.host, step: step.name },
        'step failed unexpectedly',
      );
      const outcome = again(
        error instanceof SecretDamaged
          ? `secret_damaged: ${error.message}`
          : 'internal_error: the step failed unexpectedly; see the server log',
      );
      return { outcome, untold: 0, heard };
    }
  }

  #wayFor({ id, work }: SavedWork): Way {
    if (this.#way?.workId === id) return this.#way;
    this.#leave();
    const spans = WorkSpans.begin(this.#ports, work);
    const ports = spans ? { ...this.#ports, transport: spans.transport(this.#ports.transport) } : this.#ports;
    const link = openLink(ports, this.#lease, { address: work.host, enrolment: work.enrolment });
    this.#way = { workId: id, link, spans };
    return this.#way;
  }

  #leave(): void {
    this.#way?.link.close();
    this.#way?.spans?.end();
    this.#way = undefined;
  }

  #change<T>(work: (change: HostChange) => Promise<T>): Promise<T> {
    return changeHost(this.#ports, this.#lease, this.#claim, work);
  }
}
