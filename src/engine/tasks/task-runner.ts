// Runs the due tasks of one claimed host. Each step is saved before the next one starts. The run ends when no
// task is due or a step must wait.

import { SecretDamagedError } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { isReady } from '../../domain/hosts/host-status.ts';
import type { Claim } from '../../domain/tasks/host-queue.ts';
import type { SavedTask, Task } from '../../domain/tasks/task.ts';
import { isOperationTask } from '../../domain/tasks/task.ts';
import type { SkipReason } from '../../domain/vocabulary.ts';
import type { TaskProcedure } from '../../procedures/index.ts';
import type { FinishedJob } from '../../procedures/jobs/job-poll.ts';
import { retry } from '../../procedures/outcomes.ts';
import type { Outcome, Step } from '../../procedures/step.ts';
import { applicableSteps } from '../../procedures/step.ts';
import type { PartitionDetector } from '../health/partition-detector.ts';
import { scheduleCorroboratingChecks } from '../health/partition-sync.ts';
import type { FencedHostConnection } from '../host-connection.ts';
import { openHostConnection } from '../host-connection.ts';
import type { HostTransaction } from '../host-transaction.ts';
import { withClaimedHost } from '../host-transaction.ts';
import type { Lease } from '../lease.ts';
import { ClaimLostError } from '../lease.ts';
import type { LogFields } from '../observe-transport.ts';
import type { RunPorts } from '../ports.ts';
import { createStepContext } from './step-context.ts';
import { StepHeartbeat } from './step-heartbeat.ts';
import type { CapturedOutput } from './step-output.ts';
import { StepOutput } from './step-output.ts';
import { nextTransition } from './step-transition.ts';
import type { TaskStep } from './task-progress.ts';
import { TaskProgress } from './task-progress.ts';
import { TaskTracing } from './task-tracing.ts';

interface DueStep {
  readonly saved: SavedTask;
  readonly procedure: TaskProcedure;
  readonly step: TaskStep | undefined;
  readonly isLastStep: boolean;
  readonly host: Host | null;
  readonly nowMs: number;
}

interface HostSession {
  readonly taskId: number;
  readonly connection: FencedHostConnection;
  readonly tracing: TaskTracing | null;
}

/**
 * Whether silence of the host can mean that this server has lost its network. A host in flight responded when
 * it got its slot. A host to be staged counts only while it is ready. A host that is being bootstrapped may
 * never have responded.
 */
const isPartitionEvidence = ({ saved: { task }, host }: Pick<DueStep, 'saved' | 'host'>): boolean =>
  task.kind === 'rollout' || (task.kind === 'stage' && host !== null && isReady(host.status));

/** How long a silent host is retried after its deadline while the server is connected. */
const MAX_OVERDUE_MS = 60_000;

const runUntraced = async (run: () => Promise<Outcome>) => ({ outcome: await run(), suppressedAttempts: 0 });

export class TaskRunner {
  readonly #ports: RunPorts;
  readonly #lease: Lease;
  readonly #claim: Claim;
  readonly #partition: PartitionDetector;
  readonly #progress: TaskProgress;
  /** Each task has its own connection, because it can be for another enrolment of the address. */
  #session: HostSession | undefined;
  /** Identify the current step in the log. */
  #logFields: LogFields = {};

  constructor(ports: RunPorts, lease: Lease, claim: Claim, partition: PartitionDetector) {
    this.#ports = ports;
    this.#partition = partition;
    this.#lease = lease;
    this.#claim = claim;
    this.#progress = new TaskProgress(ports, claim);
  }

  /** Runs until the claim is released. `isStopping` is checked between two steps. */
  async run(isStopping: () => boolean): Promise<void> {
    try {
      while (!isStopping() && (await this.#runNextStep()));
    } finally {
      this.#closeSession();
    }
  }

  async #runNextStep(): Promise<boolean> {
    const due = await this.#loadNextStep();
    if (due === undefined) return this.#transaction(transaction => this.#progress.continueOrRelease(transaction));
    const { saved, procedure, step, isLastStep, host } = due;
    if (host === null && procedure.needsHost)
      return this.#transaction(transaction => this.#progress.removeTaskOfDeletedHost(transaction, saved));
    if (step === undefined) return this.#transaction(transaction => this.#progress.end(transaction, saved));
    const abortReason = await this.#readAbortReason(saved);
    if (abortReason && procedure.abortModeOf?.(step.name, abortReason) === 'rollback')
      return this.#transaction(transaction =>
        this.#progress.rollback(transaction, { saved, procedure, step }, abortReason),
      );
    const { clock, jitter, log, metrics } = this.#ports;
    this.#logFields = {
      ...(isOperationTask(saved.task) && { operation: saved.task.operation }),
      ...{ task: saved.task.kind, step: step.name, attempt: saved.state.attempts + 1 },
    };
    const startedMs = clock.monotonicMs();
    const { outcome, suppressedAttempts, captured } = await this.#runStep(due, step, abortReason);
    const durationMs = clock.monotonicMs() - startedMs;
    log.debug(
      {
        ...{ host: saved.task.host, ...this.#logFields, durationMs: Math.round(durationMs) },
        ...{ result: outcome.kind, ...('problem' in outcome && { problem: outcome.problem }) },
      },
      'step',
    );
    const contact = this.#session?.connection.contact;
    const isSilent = contact === 'failed' && outcome.kind === 'retry' && outcome.isUnresponsive;
    // A rebooting host is expected to be silent.
    const isExpected = isSilent && step.phase === 'rebooting';
    if (isPartitionEvidence(due) && contact !== undefined && !isExpected) {
      this.#partition.recordSample(saved.task.host, !isSilent);
      await this.#classifySilence();
    }
    const { isPartitioned } = this.#partition;
    this.#progress.contact = isPartitioned && contact === 'failed' ? undefined : contact;
    metrics?.stepEnded(saved.task.kind, step.name, outcome.kind, durationMs / 1000);
    const stepRun = {
      state: { ...saved.state, suppressedAttempts },
      step,
      isLastStep,
      durationMs,
      jitter: jitter(),
      isPartitioned,
      isSilenceConfirmed: true,
    };
    const transition = nextTransition(outcome, stepRun);
    const isUnconfirmed =
      transition.kind === 'failed' && isSilent && !(await this.#isSilenceConfirmed(due, durationMs));
    const attempt = { saved, procedure, step, captured, abortReason };
    return this.#transaction(transaction =>
      this.#progress.saveTransition(
        transaction,
        attempt,
        isUnconfirmed ? nextTransition(outcome, { ...stepRun, isSilenceConfirmed: false }) : transition,
      ),
    );
  }

  /**
   * Other hosts must be checked before a silent host fails, because the server can have lost its own network.
   */
  async #isSilenceConfirmed(due: DueStep, durationMs: number): Promise<boolean> {
    if (!isPartitionEvidence(due)) return true;
    // A host can answer checks but not this step. Corroborating checks then never confirm its silence, so a
    // time limit decides.
    const overdueMs = due.saved.state.retryTimeMs + durationMs - (due.step?.retryPolicy.timeoutMs ?? 0);
    if (overdueMs > MAX_OVERDUE_MS) return !this.#partition.isPartitioned;
    this.#partition.recordSample(this.#claim.host, false);
    await this.#classifySilence();
    return !this.#partition.isPartitioned && this.#partition.isSilenceConfirmed(this.#claim.host);
  }

  /**
   * Decides whether the host or the server is cut off. If too few other hosts were checked since the host
   * became silent, it schedules checks of other hosts first.
   */
  async #classifySilence(): Promise<void> {
    const { host } = this.#claim;
    const partition = this.#partition;
    const next = partition.nextActionForStep(host);
    if (next === undefined) return;
    const areChecksScheduled =
      next === 'schedule_checks' &&
      (await this.#ports.store.transaction(async records =>
        scheduleCorroboratingChecks(partition, records, host, await records.nowMs()),
      ));
    if (areChecksScheduled) return;
    // A host in flight is not marked unreachable: its silence remains evidence of a partition, and its phase
    // has a deadline.
    if (partition.classify(host) === 'partitioned') partition.applyVerdict(host, 'partitioned');
    else partition.confirmSilence(host);
  }

  async #loadNextStep(): Promise<DueStep | undefined> {
    const { store, procedures } = this.#ports;
    const nowMs = await store.reads.nowMs();
    const saved = await store.reads.tasks.getNextDue(this.#claim.host, nowMs);
    if (saved === undefined) return undefined;
    const procedure = procedures.procedureFor(saved.task);
    const { done, rollback } = saved.state;
    const all = rollback ? (procedure.rollbackSteps?.(rollback) ?? []) : procedure.steps;
    const steps = applicableSteps(all, saved.state);
    const step = steps.find(({ name }) => !Object.hasOwn(done, name));
    const current = await store.reads.hosts.get(this.#claim.host);
    const host = current?.enrolment === saved.task.enrolment ? current : null;
    return { saved, procedure, step, isLastStep: step === steps.at(-1), host, nowMs };
  }

  /** Reason to abort the task; `null` if there is none or a rollback is already running. */
  async #readAbortReason({ task, state }: SavedTask): Promise<SkipReason | null> {
    if (!isOperationTask(task) || state.rollback) return null;
    const operationHost = await this.#ports.store.reads.operationHosts.get(task.operation, task.host);
    return operationHost?.abortReason ?? null;
  }

  async #runStep(
    { saved, host, nowMs }: DueStep,
    step: Step<Task, Host | null>,
    abortReason: SkipReason | null,
  ): Promise<{ outcome: Outcome; suppressedAttempts: number; captured: CapturedOutput | undefined }> {
    const output = new StepOutput(this.#ports.clock, captured =>
      this.#transaction(transaction => this.#progress.saveOutput(transaction, saved, step.name, captured)),
    );
    const onOutput = (bytes: Uint8Array) => output.append(bytes);
    const { connection, tracing } = this.#sessionFor(saved);
    const onJobEnd = (end: FinishedJob) => {
      this.#ports.metrics?.jobEnded(end.result);
      tracing?.recordJob(end);
    };
    const input = {
      saved,
      step: step.name,
      host,
      connection,
      tracing,
      abortReason,
      nowMs,
      onOutput,
      onJobEnd,
    };
    const run = async () => step.run(await createStepContext(this.#ports, this.#lease, this.#claim, input));
    const heartbeat = new StepHeartbeat(this.#ports.clock, connection, (hasAnswered, elapsedMs) =>
      this.#transaction(transaction =>
        this.#progress.saveHeartbeat(transaction, saved, step.name, {
          hasAnswered,
          elapsedMs: this.#partition.isPartitioned ? 0 : elapsedMs,
        }),
      ),
    );
    try {
      const result = await (tracing?.step(step.name, saved.state, run) ?? runUntraced(run));
      await heartbeat.stop();
      return { ...result, captured: await output.end() };
    } catch (error) {
      await heartbeat.stop();
      const captured = await output.end();
      if (error instanceof ClaimLostError) throw error;
      this.#ports.log.error({ err: error, host: this.#claim.host, step: step.name }, 'step failed unexpectedly');
      const outcome = retry(
        error instanceof SecretDamagedError
          ? `secret_damaged: ${error.message}`
          : 'internal_error: the step failed unexpectedly; see the server log',
      );
      return { outcome, suppressedAttempts: 0, captured };
    }
  }

  #sessionFor({ id, task }: SavedTask): HostSession {
    if (this.#session?.taskId === id) return this.#session;
    this.#closeSession();
    const tracing = TaskTracing.start(this.#ports, task);
    const ports = tracing ? { ...this.#ports, transport: tracing.transport(this.#ports.transport) } : this.#ports;
    const connection = openHostConnection(
      ports,
      this.#lease,
      { address: task.host, enrolment: task.enrolment },
      { getLogFields: () => this.#logFields },
    );
    this.#session = { taskId: id, connection, tracing };
    return this.#session;
  }

  #closeSession(): void {
    this.#session?.connection.close();
    this.#session?.tracing?.end();
    this.#session = undefined;
  }

  #transaction<T>(task: (transaction: HostTransaction) => Promise<T>): Promise<T> {
    return withClaimedHost(this.#ports, this.#lease, this.#claim, task);
  }
}
