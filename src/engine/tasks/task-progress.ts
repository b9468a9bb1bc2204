import type { Host } from '../../domain/hosts/host.ts';
import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import type { ReasonText } from '../../domain/hosts/reason-text.ts';
import type { Claim, ClaimRelease } from '../../domain/tasks/host-queue.ts';
import type { RetryPolicy } from '../../domain/tasks/retry-policy.ts';
import { backoffMs, isRetryExhausted } from '../../domain/tasks/retry-policy.ts';
import type { Rollback, SavedTask, StepResult, Task, TaskState } from '../../domain/tasks/task.ts';
import { isOperationTask, stateAfterStep, stateAtRollback } from '../../domain/tasks/task.ts';
import type { AbortReason } from '../../domain/vocabulary.ts';
import type { TaskProcedure } from '../../procedures/index.ts';
import type { Outcome, Step } from '../../procedures/step.ts';
import type { HostTransaction } from '../host-transaction.ts';
import {
  applyHostUpdate,
  recordHostRemoved,
  recordRolledBack,
  recordStepDelayed,
  recordStepStarted,
  recordTaskFinished,
  releaseClaim,
} from '../host-transaction.ts';
import type { RunPorts } from '../ports.ts';
import type { CapturedOutput } from './step-output-buffer.ts';

export type TaskStep = Step<Task, Host | null>;

type StepTransition =
  | { readonly kind: 'next_step'; readonly state: TaskState; readonly hostUpdate: HostUpdate }
  /** `isNoop`: the remaining steps were not needed. */
  | { readonly kind: 'finished'; readonly state: TaskState; readonly isNoop: boolean; readonly hostUpdate: HostUpdate }
  | {
      readonly kind: 'wait';
      readonly state: TaskState;
      readonly delayMs: number;
      readonly isUnresponsive: boolean;
      readonly awaitsRebootClearance: boolean;
    }
  | { readonly kind: 'aborted'; readonly reason: AbortReason }
  | { readonly kind: 'failed'; readonly problem: ReasonText; readonly hostUpdate: HostUpdate };

type TransitionOf<Kind extends StepTransition['kind']> = Extract<StepTransition, { kind: Kind }>;

interface StepRun {
  readonly state: TaskState;
  readonly step: Pick<TaskStep, 'name' | 'onExhausted'>;
  readonly retryPolicy: RetryPolicy;
  readonly isLastStep: boolean;
  readonly durationMs: number;
  readonly jitter: number;
  /** The server cannot reach most hosts, so time does not count toward the deadline. */
  readonly isPartitioned: boolean;
  /** Other hosts have responded since the host became unresponsive, so the server has not lost its own network. */
  readonly isConfirmedUnresponsive: boolean;
}

/** The time of a waiting step counts toward the deadline, too. */
const spentTimeMs = ({ state, durationMs, isPartitioned }: Omit<StepRun, 'isConfirmedUnresponsive'>): number =>
  Math.round(state.retryTimeMs + (isPartitioned ? 0 : durationMs));

export const isDeadlineExceeded = (run: Omit<StepRun, 'isConfirmedUnresponsive'>): boolean =>
  isRetryExhausted(run.retryPolicy, spentTimeMs(run));

export function nextTransition(outcome: Outcome, run: StepRun): StepTransition {
  switch (outcome.kind) {
    case 'failed':
      return failStep(run, outcome.problem, outcome.hostUpdate);
    case 'aborted':
      return outcome;
    case 'noop':
      return { kind: 'finished', state: run.state, isNoop: true, hostUpdate: outcome.hostUpdate };
    case 'done':
      return completeStep(run, outcome.result, outcome.hostUpdate);
    case 'waiting': {
      const { stepState, problem } = outcome;
      if (isDeadlineExceeded(run)) return failStep(run, outcome.problemAtDeadline);
      return repeatStep(run, Math.ceil(outcome.delayMs), { stepState, problem });
    }
    case 'retry':
      return retryStep(outcome, run);
  }
}

function completeStep(
  { state, step, isLastStep }: StepRun,
  result: StepResult,
  hostUpdate: HostUpdate,
): StepTransition {
  const next = stateAfterStep(state, step.name, result);
  return isLastStep
    ? { kind: 'finished', state: next, isNoop: false, hostUpdate }
    : { kind: 'next_step', state: next, hostUpdate };
}

function failStep(run: StepRun, problem: ReasonText, hostUpdate: HostUpdate = {}): StepTransition {
  if (run.step.onExhausted !== 'skip_step') return { kind: 'failed', problem, hostUpdate };
  return completeStep(run, { problem }, { ...hostUpdate, ...(hostUpdate.trigger && { reason: problem }) });
}

function retryStep(outcome: Extract<Outcome, { kind: 'retry' }>, run: StepRun): StepTransition {
  const { problem, restartsJobs, isUnresponsive, awaitsRebootClearance = false, stepState = {} } = outcome;
  const { state, retryPolicy, jitter, isConfirmedUnresponsive } = run;
  if (isDeadlineExceeded(run) && (!isUnresponsive || isConfirmedUnresponsive)) return failStep(run, problem);
  const attempts = state.attempts + 1;
  const jobRound = state.jobRound + (restartsJobs ? 1 : 0);
  const delayMs = Math.round(backoffMs(retryPolicy, attempts, jitter));
  return {
    ...repeatStep(run, delayMs, { attempts, jobRound, stepState, problem }),
    isUnresponsive,
    awaitsRebootClearance,
  };
}

function repeatStep(run: StepRun, delayMs: number, change: Partial<TaskState>): TransitionOf<'wait'> {
  const retryTimeMs = spentTimeMs(run) + (run.isPartitioned ? 0 : delayMs);
  const state = { ...run.state, ...change, step: run.step.name, retryTimeMs };
  return { kind: 'wait', state, delayMs, isUnresponsive: false, awaitsRebootClearance: false };
}

/** `released`: the claim was released, so the run ends. */
export type RunResult = 'continue' | 'released';

interface StepPosition {
  readonly saved: SavedTask;
  readonly procedure: TaskProcedure;
  readonly step: TaskStep;
}

export class TaskProgress {
  readonly #ports: Pick<RunPorts, 'settings' | 'log'>;
  readonly #claim: Claim;
  #facts: 'unchanged' | 'fresh' | 'outdated' = 'unchanged';
  #isCheckDue = false;
  /** The last contact; empty if it says nothing about the host. */
  contact: Pick<ClaimRelease, 'contact' | 'contactAgeMs'> = {};

  constructor(ports: Pick<RunPorts, 'settings' | 'log'>, claim: Claim) {
    this.#ports = ports;
    this.#claim = claim;
  }

  async saveTransition(
    transaction: HostTransaction,
    position: StepPosition,
    captured: CapturedOutput | undefined,
    transition: StepTransition,
  ): Promise<RunResult> {
    const { saved, procedure, step } = position;
    const { records, nowMs } = transaction;
    // The host was removed or its task was replaced while the step ran.
    if (!(await records.tasks.exists(saved.id))) return 'continue';
    if (captured) await this.saveOutput(transaction, saved, step.name, captured);
    switch (transition.kind) {
      case 'next_step':
        await this.#applyUpdate(transaction, saved, transition.hostUpdate);
        await records.tasks.saveState(saved.id, transition.state, nowMs);
        await recordStepStarted(transaction, saved.task, procedure.steps, transition.state);
        return 'continue';
      case 'finished':
        return this.#finish(transaction, saved, transition);
      case 'wait':
        await records.tasks.saveState(saved.id, transition.state, nowMs + transition.delayMs);
        await recordStepDelayed(transaction, saved.task, { ...transition, problem: transition.state.problem });
        return this.continueOrRelease(transaction);
      case 'aborted':
        return this.rollback(transaction, position, transition.reason);
      case 'failed':
        return this.#failTask(transaction, position, transition);
    }
  }

  async rollback(
    transaction: HostTransaction,
    { saved, procedure, step }: StepPosition,
    reason: Rollback['reason'],
    problem = '',
  ): Promise<RunResult> {
    const rollback: Rollback = { fromStep: step.name, reason, problem };
    const state = stateAtRollback(saved.state, rollback);
    const steps = procedure.abortRules?.rollbackSteps(saved.task, rollback) ?? [];
    if (steps.length === 0) return this.#finishRollback(transaction, saved, state, rollback);
    await transaction.records.tasks.saveState(saved.id, state, transaction.nowMs);
    return 'continue';
  }

  end(transaction: HostTransaction, saved: SavedTask): Promise<RunResult> {
    return this.#finish(transaction, saved, { kind: 'finished', state: saved.state, isNoop: false, hostUpdate: {} });
  }

  async #removeTask(transaction: HostTransaction, saved: SavedTask): Promise<RunResult> {
    await transaction.records.tasks.remove(saved.id);
    return this.continueOrRelease(transaction);
  }

  async removeTaskOfDeletedHost(transaction: HostTransaction, saved: SavedTask): Promise<RunResult> {
    await recordHostRemoved(transaction, saved.task);
    return this.#removeTask(transaction, saved);
  }

  async continueOrRelease(transaction: HostTransaction): Promise<RunResult> {
    const { records, nowMs } = transaction;
    const { dueAt: taskDueAt, isInFlight } = await records.tasks.getEarliestDue(this.#claim.host);
    if (taskDueAt !== null && taskDueAt <= nowMs) return 'continue';
    // Health checks skip a host that is in flight in an operation.
    const nextCheck = isInFlight ? 'none' : this.#nextCheck(nowMs);
    const release: ClaimRelease = { taskDueAt, nextCheck, ...this.#nextFacts(nowMs), ...this.contact };
    await releaseClaim(this.#ports, transaction, this.#claim, release);
    return 'released';
  }

  async saveHeartbeat(
    { records, nowMs }: HostTransaction,
    { id, state }: SavedTask,
    step: string,
    { hasResponded, elapsedMs }: { readonly hasResponded: boolean; readonly elapsedMs: number },
  ): Promise<void> {
    if (!(await records.tasks.exists(id))) return;
    const retryTimeMs = Math.round(state.retryTimeMs + elapsedMs);
    await records.tasks.saveState(id, { ...state, step, retryTimeMs }, nowMs);
    if (hasResponded) await records.claims.recordContact(this.#claim.host, 'responded', nowMs);
  }

  #nextCheck(nowMs: number): ClaimRelease['nextCheck'] {
    if (this.#isCheckDue) return { at: nowMs };
    return this.#facts === 'unchanged' ? 'unchanged' : 'next_interval';
  }

  #nextFacts(nowMs: number): Pick<ClaimRelease, 'factsDueAt' | 'failures'> {
    if (this.#facts === 'unchanged') return {};
    return { factsDueAt: this.#facts === 'fresh' ? nowMs + this.#ports.settings.factsIntervalMs : nowMs, failures: 0 };
  }

  async saveOutput(
    { records, at, notifyOutput }: HostTransaction,
    { task }: SavedTask,
    step: string,
    captured: CapturedOutput,
  ): Promise<void> {
    if (!isOperationTask(task)) return;
    const { operation, cluster, host, attempt } = task;
    await records.operationOutput.save({ operation, host, attempt, step }, { ...captured, at });
    notifyOutput({ operation, cluster, host });
  }

  async #finish(
    transaction: HostTransaction,
    saved: SavedTask,
    { state, isNoop, hostUpdate }: TransitionOf<'finished'>,
  ): Promise<RunResult> {
    if (state.rollback) {
      const updated = await this.#applyUpdate(transaction, saved, hostUpdate);
      return this.#finishRollback(updated, saved, state, state.rollback);
    }
    const end = await recordTaskFinished(transaction, saved.task, state, { isNoop });
    return this.#removeTask(await this.#applyUpdate(transaction, saved, { ...hostUpdate, ...end }), saved);
  }

  async #failTask(
    transaction: HostTransaction,
    position: StepPosition,
    { problem, hostUpdate }: TransitionOf<'failed'>,
  ): Promise<RunResult> {
    const { saved, procedure, step } = position;
    const { task } = saved;
    const operation = isOperationTask(task) && { operation: task.operation };
    this.#ports.log.warn({ host: task.host, ...operation, task: task.kind, step: step.name, problem }, 'task failed');
    const trigger = hostUpdate.trigger ?? procedure.failureTrigger;
    // A failed operation does not explain the state of its host.
    const updated = await this.#applyUpdate(transaction, saved, {
      ...hostUpdate,
      ...(trigger && { trigger, reason: problem }),
    });
    const holdsSlot = procedure.abortRules?.isSystemicFailure(task, step.name) ?? false;
    return this.rollback(updated, position, { kind: 'failed', holdsSlot }, problem);
  }

  async #finishRollback(
    transaction: HostTransaction,
    saved: SavedTask,
    state: TaskState,
    rollback: Rollback,
  ): Promise<RunResult> {
    await recordRolledBack(transaction, saved.task, state, rollback);
    this.#isCheckDue = isOperationTask(saved.task);
    return this.#removeTask(transaction, saved);
  }

  /** Ignores the update if another host is enrolled at the address now. */
  async #applyUpdate(
    transaction: HostTransaction,
    { task }: SavedTask,
    hostUpdate: HostUpdate,
  ): Promise<HostTransaction> {
    // An operation reads only the boot ID. After a reboot the other facts can have changed.
    if (hostUpdate.facts) this.#facts = hostUpdate.facts.os === undefined ? 'outdated' : 'fresh';
    const { host } = transaction;
    if (host?.enrolment !== task.enrolment) return transaction;
    return { ...transaction, host: await applyHostUpdate(transaction, host, hostUpdate) };
  }
}
