// Runs the due tasks of one claimed host. Each step is saved before the next one starts.

import { SecretDamagedError } from '../../domain/errors.ts';
import type { Host } from '../../domain/hosts/host.ts';
import { isReady } from '../../domain/hosts/host-status.ts';
import { isCleared } from '../../domain/rollout/freshness.ts';
import type { Claim } from '../../domain/tasks/host-queue.ts';
import type { SavedTask, Task } from '../../domain/tasks/task.ts';
import { isOperationTask } from '../../domain/tasks/task.ts';
import type { AbortReason } from '../../domain/vocabulary.ts';
import type { TaskProcedure } from '../../procedures/index.ts';
import { jobPrefixOf } from '../../procedures/jobs/job.ts';
import { retry, retryInsteadOfFailing } from '../../procedures/outcomes.ts';
import type { Outcome, StepContext } from '../../procedures/step.ts';
import { pendingSteps } from '../../procedures/step.ts';
import type { PartitionDetector } from '../health/partition-detector.ts';
import { classifyUnresponsive } from '../health/partition-sync.ts';
import type { FencedHostConnection } from '../host-connection.ts';
import { openHostConnection } from '../host-connection.ts';
import type { HostTransaction } from '../host-transaction.ts';
import { withClaimedHost } from '../host-transaction.ts';
import type { Lease } from '../lease.ts';
import { ClaimLostError } from '../lease.ts';
import type { LogFields } from '../observe-transport.ts';
import type { RunPorts } from '../ports.ts';
import { openFencedManager, openFencedNetwork } from './fenced-drivers.ts';
import { StepHeartbeat } from './step-heartbeat.ts';
import type { CapturedOutput } from './step-output-buffer.ts';
import { StepOutputBuffer } from './step-output-buffer.ts';
import type { RunResult, TaskStep } from './task-progress.ts';
import { isDeadlineExceeded, nextTransition, TaskProgress } from './task-progress.ts';
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

/** Counts hosts known to respond: in flight or ready. A host that is being bootstrapped may never have responded. */
const isPartitionEvidence = ({ saved: { task }, host }: Pick<DueStep, 'saved' | 'host'>): boolean =>
  task.kind === 'rollout' || (task.kind === 'stage' && host !== null && isReady(host.status));

/** How long an unresponsive host is retried after its deadline while the server is connected. */
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
  #logFields: LogFields = {};

  constructor(ports: RunPorts, lease: Lease, claim: Claim, partition: PartitionDetector) {
    this.#ports = ports;
    this.#partition = partition;
    this.#lease = lease;
    this.#claim = claim;
    this.#progress = new TaskProgress(ports, claim);
  }

  /** `isStopping` is checked between two steps. */
  async run(isStopping: () => boolean): Promise<void> {
    try {
      while (!isStopping() && (await this.#runNextStep()) === 'continue');
    } finally {
      this.#closeSession();
    }
  }

  async #runNextStep(): Promise<RunResult> {
    const due = await this.#loadNextStep();
    if (due === undefined) return this.#transaction(transaction => this.#progress.continueOrRelease(transaction));
    const { saved, procedure, step, isLastStep, host } = due;
    const { task } = saved;
    if (host === null && procedure.needsHost)
      return this.#transaction(transaction => this.#progress.removeTaskOfDeletedHost(transaction, saved));
    if (step === undefined) return this.#transaction(transaction => this.#progress.end(transaction, saved));
    const position = { saved, procedure, step };
    const abortReason = await this.#readAbortReason(saved);
    if (abortReason && procedure.abortRules?.abortModeOf(task, step.name, abortReason) === 'rollback')
      return this.#transaction(transaction => this.#progress.rollback(transaction, position, abortReason));
    const { clock, jitter, log, metrics } = this.#ports;
    this.#logFields = {
      ...(isOperationTask(task) && { operation: task.operation }),
      task: task.kind,
      step: step.name,
      attempt: saved.state.attempts + 1,
    };
    const { connection } = this.#sessionFor(saved);
    const earlierContact = connection.lastContact;
    const startedMs = clock.monotonicMs();
    const { outcome, suppressedAttempts, captured } = await this.#runStep(due, step, abortReason);
    const durationMs = clock.monotonicMs() - startedMs;
    log.debug(
      {
        host: task.host,
        ...this.#logFields,
        durationMs: Math.round(durationMs),
        result: outcome.kind,
        ...('problem' in outcome && { problem: outcome.problem }),
      },
      'step attempt finished',
    );
    const { lastContact } = connection;
    // A step that calls only the container manager says nothing about the host.
    const contact = lastContact === earlierContact ? undefined : lastContact?.result;
    const isUnresponsive = contact === 'failed' && outcome.kind === 'retry' && outcome.isUnresponsive;
    // A rebooting host is expected to be unresponsive.
    const isExpected = isUnresponsive && step.phase === 'rebooting';
    if (isPartitionEvidence(due) && contact !== undefined && !isExpected) {
      this.#partition.recordSample(task.host, !isUnresponsive);
      await classifyUnresponsive(this.#partition, this.#ports.store, task.host);
    }
    const { isPartitioned } = this.#partition;
    this.#progress.contact =
      lastContact === undefined || (isPartitioned && lastContact.result === 'failed')
        ? {}
        : { contact: lastContact.result, contactAgeMs: Math.round(clock.monotonicMs() - lastContact.atMs) };
    metrics.stepEnded(task.kind, step.name, outcome.kind, durationMs / 1000);
    const retryPolicy = step.retryPolicy(task, saved.state);
    const state = { ...saved.state, suppressedAttempts };
    const run = { state, step, retryPolicy, isLastStep, durationMs, jitter: jitter(), isPartitioned };
    const isOverdue = isUnresponsive && isDeadlineExceeded(run);
    const overdueMs = saved.state.retryTimeMs + durationMs - (retryPolicy.timeoutMs ?? 0);
    const isConfirmedUnresponsive = !isOverdue || (await this.#isConfirmedUnresponsive(due, overdueMs));
    const transition = nextTransition(outcome, { ...run, isConfirmedUnresponsive });
    return this.#transaction(transaction => this.#progress.saveTransition(transaction, position, captured, transition));
  }

  /** Other hosts must be checked before an unresponsive host fails, because the server can have lost its own network. */
  async #isConfirmedUnresponsive(due: DueStep, overdueMs: number): Promise<boolean> {
    const partition = this.#partition;
    const { host } = this.#claim;
    if (!isPartitionEvidence(due)) return true;
    // A host that responds to checks but not to this step is never confirmed unresponsive, so a time limit decides.
    if (overdueMs > MAX_OVERDUE_MS) return !partition.isPartitioned;
    partition.recordSample(host, false);
    await classifyUnresponsive(partition, this.#ports.store, host);
    return !partition.isPartitioned && partition.isConfirmedUnresponsive(host);
  }

  async #loadNextStep(): Promise<DueStep | undefined> {
    const { store, procedures } = this.#ports;
    const nowMs = await store.reads.nowMs();
    const saved = await store.reads.tasks.getNextDue(this.#claim.host, nowMs);
    if (saved === undefined) return undefined;
    const { task, state } = saved;
    const procedure = procedures[task.kind];
    const steps = state.rollback ? procedure.abortRules?.rollbackSteps(task, state.rollback) : procedure.steps;
    const [step, ...laterSteps] = pendingSteps(steps ?? [], task, state);
    const current = await store.reads.hosts.get(this.#claim.host);
    const host = current?.enrolment === task.enrolment ? current : null;
    return { saved, procedure, step, isLastStep: laterSteps.length === 0, host, nowMs };
  }

  /** `null`: no reason, or a rollback is already running. */
  async #readAbortReason({ task, state }: SavedTask): Promise<AbortReason | null> {
    if (!isOperationTask(task) || state.rollback) return null;
    const operationHost = await this.#ports.store.reads.operationHosts.get(task.operation, task.host);
    return operationHost?.abortReason ?? null;
  }

  async #runStep(
    due: DueStep,
    step: TaskStep,
    abortReason: AbortReason | null,
  ): Promise<{ outcome: Outcome; suppressedAttempts: number; captured: CapturedOutput | undefined }> {
    const { saved } = due;
    const { clock, log } = this.#ports;
    const session = this.#sessionFor(saved);
    const { connection, tracing } = session;
    const output = new StepOutputBuffer(clock, captured =>
      this.#transaction(transaction => this.#progress.saveOutput(transaction, saved, step.name, captured)),
    );
    const run = async () => {
      const context = await this.#createStepContext(due, step, session);
      const outcome = await step.run({ ...context, abortReason, onOutput: bytes => output.append(bytes) });
      return step.onExhausted === 'keep_retrying' ? retryInsteadOfFailing(outcome) : outcome;
    };
    const heartbeat = new StepHeartbeat(clock, connection, (hasResponded, elapsedMs) =>
      this.#transaction(transaction =>
        this.#progress.saveHeartbeat(transaction, saved, step.name, {
          hasResponded,
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
      log.error({ err: error, host: this.#claim.host, ...this.#logFields }, 'step failed unexpectedly');
      const outcome = retry(
        error instanceof SecretDamagedError
          ? `secret_damaged: ${error.message}`
          : 'internal_error: the step failed unexpectedly; see the server log',
      );
      return { outcome, suppressedAttempts: 0, captured };
    }
  }

  /** Drivers and the connection reject calls after the claim is lost. */
  async #createStepContext(
    { saved, host, nowMs }: DueStep,
    step: TaskStep,
    { connection, tracing }: HostSession,
  ): Promise<Omit<StepContext<Task, Host | null>, 'abortReason' | 'onOutput'>> {
    const ports = this.#ports;
    const { reads } = ports.store;
    const { task, state } = saved;
    const access = host ? await reads.hostAccess.get(host.address) : undefined;
    const fence = { lease: this.#lease, claim: this.#claim, tracing };
    const getCluster = async () => (await reads.hosts.get(task.host))?.cluster ?? null;
    return {
      task,
      host,
      connection,
      state,
      nowMs,
      jobPrefix: jobPrefixOf(saved, step.name),
      clock: ports.clock,
      os: ports.drivers.os,
      hasPinnedHostKeys: (access?.hostKeys.length ?? 0) > 0,
      onJobEnd: job => {
        ports.metrics.jobEnded(job.result);
        tracing?.recordJob(job);
      },
      serverBootIds: () => reads.servers.listBootIds(),
      mayReboot: async () => {
        if (!isOperationTask(task)) return false;
        const operationHost = await reads.operationHosts.get(task.operation, task.host);
        return isCleared(operationHost?.clearedUntilMs ?? null, await reads.nowMs());
      },
      networkRecord: async () => {
        const name = await getCluster();
        const cluster = name ? await reads.clusters.get(name) : undefined;
        return (cluster && (await reads.driverRecords.get('network', cluster.network))) ?? null;
      },
      openNetwork: (record, managerType) => openFencedNetwork(ports, fence, record, managerType),
      managerRecord: async () => {
        const cluster = await getCluster();
        return (cluster && (await reads.driverRecords.getManager(cluster))) || null;
      },
      openManager: record => openFencedManager(ports, fence, record),
    };
  }

  #sessionFor({ id, task }: SavedTask): HostSession {
    if (this.#session?.taskId === id) return this.#session;
    this.#closeSession();
    const tracing = TaskTracing.start(this.#ports, task);
    const ports = tracing ? { ...this.#ports, transport: tracing.transport(this.#ports.transport) } : this.#ports;
    const host = { address: task.host, enrolment: task.enrolment };
    const connection = openHostConnection(ports, this.#lease, host, { getLogFields: () => this.#logFields });
    this.#session = { taskId: id, connection, tracing };
    return this.#session;
  }

  #closeSession(): void {
    this.#session?.connection.close();
    this.#session?.tracing?.end();
    this.#session = undefined;
  }

  #transaction<T>(run: (transaction: HostTransaction) => Promise<T>): Promise<T> {
    return withClaimedHost(this.#ports, this.#lease, this.#claim, run);
  }
}
