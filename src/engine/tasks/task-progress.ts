// Writes the result of each step: the state of the task, the update of its host, and the progress of its
// operation. Methods return `false` when they have released the claim.

import type { Host } from '../../domain/hosts/host.ts';
import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import type { Claim, ClaimRelease, ContactResult } from '../../domain/tasks/host-queue.ts';
import type { Rollback, SavedTask, Task, TaskState } from '../../domain/tasks/task.ts';
import { INITIAL_TASK_STATE, isOperationTask } from '../../domain/tasks/task.ts';
import type { SkipReason } from '../../domain/vocabulary.ts';
import type { TaskProcedure } from '../../procedures/index.ts';
import type { Step } from '../../procedures/step.ts';
import type { HostTransaction } from '../host-transaction.ts';
import { applyHostUpdate, releaseClaim } from '../host-transaction.ts';
import type { RunPorts } from '../ports.ts';
import {
  recordHostDeleted,
  recordRolledBack,
  recordStepDelayed,
  recordStepStarted,
  recordTaskFinished,
} from './operation-progress.ts';
import type { CapturedOutput } from './step-output.ts';
import type { StepTransition } from './step-transition.ts';

export type TaskStep = Step<Task, Host | null>;

interface StepPosition {
  readonly saved: SavedTask;
  readonly procedure: TaskProcedure;
  readonly step: TaskStep;
}

interface ExecutedStep extends StepPosition {
  readonly captured: CapturedOutput | undefined;
  readonly abortReason: SkipReason | null;
}

export class TaskProgress {
  readonly #ports: RunPorts;
  readonly #claim: Claim;
  #hasFreshFacts = false;
  /** Health checks skip a host that is in flight in an operation. */
  #isInFlight = false;
  #isCheckDue = false;
  /** Result of the last contact; `undefined` if it says nothing about the host. */
  contact: ContactResult | undefined;

  constructor(ports: RunPorts, claim: Claim) {
    this.#ports = ports;
    this.#claim = claim;
  }

  async saveTransition(
    transaction: HostTransaction,
    executed: ExecutedStep,
    transition: StepTransition,
  ): Promise<boolean> {
    const { saved, captured, step } = executed;
    const { records, nowMs } = transaction;
    // The host was removed or its task was replaced while the step ran.
    if (!(await records.tasks.exists(saved.id))) return true;
    if (captured) await this.saveOutput(transaction, saved, step.name, captured);
    switch (transition.kind) {
      case 'next_step':
        await this.#applyUpdate(transaction, saved, transition.hostUpdate);
        return this.#advance(transaction, executed, transition.state);
      case 'finished':
        return this.#finish(transaction, saved, transition);
      case 'wait':
        await records.tasks.saveState(saved.id, transition.state, nowMs + transition.delayMs);
        await recordStepDelayed(transaction, saved.task, {
          ...transition,
          problem: transition.state.problem,
        });
        this.#isInFlight = saved.task.kind === 'rollout';
        return this.continueOrRelease(transaction);
      case 'aborted':
        return this.rollback(transaction, executed, executed.abortReason ?? 'cancelled');
      case 'failed':
        return this.#failTask(transaction, executed, transition);
    }
  }

  async rollback(
    transaction: HostTransaction,
    { saved, procedure, step }: StepPosition,
    reason: Rollback['reason'],
    problem = '',
  ): Promise<boolean> {
    const rollback: Rollback = { fromStep: step.name, reason, problem };
    const state = { ...INITIAL_TASK_STATE, done: saved.state.done, rollback };
    const steps = procedure.rollbackSteps?.(rollback) ?? [];
    if (steps.length === 0) return this.#finishRollback(transaction, saved, state, rollback);
    await transaction.records.tasks.saveState(saved.id, state, transaction.nowMs);
    return true;
  }

  end(transaction: HostTransaction, saved: SavedTask): Promise<boolean> {
    return this.#finish(transaction, saved, { state: saved.state, isNoop: false, hostUpdate: {} });
  }

  async removeTask(transaction: HostTransaction, saved: SavedTask): Promise<boolean> {
    await transaction.records.tasks.remove(saved.id);
    this.#isInFlight = false;
    return this.continueOrRelease(transaction);
  }

  async removeTaskOfDeletedHost(transaction: HostTransaction, saved: SavedTask): Promise<boolean> {
    await recordHostDeleted(transaction, saved.task);
    return this.removeTask(transaction, saved);
  }

  async continueOrRelease(transaction: HostTransaction): Promise<boolean> {
    const { records, nowMs } = transaction;
    const taskDueAt = await records.tasks.getEarliestDue(this.#claim.host);
    if (taskDueAt !== null && taskDueAt <= nowMs) return true;
    const { factsIntervalMs } = this.#ports.settings;
    const facts = this.#hasFreshFacts && { factsDueAt: nowMs + factsIntervalMs, failures: 0 };
    const contact = this.contact && { contact: this.contact };
    const release: ClaimRelease = { taskDueAt, check: this.#nextCheck(nowMs), ...facts, ...contact };
    await releaseClaim(this.#ports, transaction, this.#claim, release);
    return false;
  }

  /**
   * Saves the elapsed time of a long step and the last response of its host, so that both survive a crash of
   * this server.
   */
  async saveHeartbeat(
    { records, nowMs }: HostTransaction,
    { id, state }: SavedTask,
    step: string,
    { hasAnswered, elapsedMs }: { readonly hasAnswered: boolean; readonly elapsedMs: number },
  ): Promise<void> {
    if (!(await records.tasks.exists(id))) return;
    const retryTimeMs = Math.round(state.retryTimeMs + elapsedMs);
    await records.tasks.saveState(id, { ...state, step, retryTimeMs }, nowMs);
    if (hasAnswered) await records.claims.recordContact(this.#claim.host, 'answered', nowMs);
  }

  #nextCheck(nowMs: number): ClaimRelease['check'] {
    if (this.#isInFlight) return 'none';
    if (this.#isCheckDue) return { at: nowMs };
    return this.#hasFreshFacts ? 'next_slot' : 'unchanged';
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

  async #advance(transaction: HostTransaction, { saved, procedure }: StepPosition, state: TaskState): Promise<boolean> {
    await transaction.records.tasks.saveState(saved.id, state, transaction.nowMs);
    await recordStepStarted(transaction, saved.task, procedure, state);
    return true;
  }

  async #finish(
    transaction: HostTransaction,
    saved: SavedTask,
    { state, isNoop, hostUpdate }: Omit<Extract<StepTransition, { kind: 'finished' }>, 'kind'>,
  ): Promise<boolean> {
    if (state.rollback) return this.#finishRollback(transaction, saved, state, state.rollback);
    const end = await recordTaskFinished(transaction, saved.task, state, { isNoop });
    return this.removeTask(await this.#applyUpdate(transaction, saved, { ...hostUpdate, ...end }), saved);
  }

  async #failTask(
    transaction: HostTransaction,
    executed: StepPosition,
    { problem, hostUpdate }: Extract<StepTransition, { kind: 'failed' }>,
  ): Promise<boolean> {
    const { saved, procedure, step } = executed;
    const { state, task } = saved;
    if (state.rollback) return this.#skipRollbackStep(transaction, executed, state.rollback, problem);
    this.#ports.log.warn({ host: task.host, task: task.kind, problem }, 'task failed');
    const trigger = hostUpdate.trigger ?? procedure.failureTrigger;
    // Only some failures change the status of the host: a failed operation does not explain the state of its
    // host.
    const updated = await this.#applyUpdate(transaction, saved, {
      ...hostUpdate,
      ...(trigger && { trigger, reason: problem }),
    });
    const holdsSlot = procedure.isSystemicFailure?.(step.name) ?? false;
    return this.rollback(updated, executed, { kind: 'failed', holdsSlot }, problem);
  }

  /** A failed rollback step does not stop the rollback; its problem is stored as the result of the step. */
  async #skipRollbackStep(
    transaction: HostTransaction,
    { saved, step }: StepPosition,
    rollback: Rollback,
    problem: string,
  ): Promise<boolean> {
    const done = { ...saved.state.done, [step.name]: { problem } };
    await transaction.records.tasks.saveState(saved.id, { ...INITIAL_TASK_STATE, done, rollback }, transaction.nowMs);
    return true;
  }

  async #finishRollback(
    transaction: HostTransaction,
    saved: SavedTask,
    state: TaskState,
    rollback: Rollback,
  ): Promise<boolean> {
    await recordRolledBack(transaction, saved.task, state, rollback);
    this.#isCheckDue = isOperationTask(saved.task);
    return this.removeTask(transaction, saved);
  }

  /** Ignores the update if another host is enrolled at the address now. */
  async #applyUpdate(
    transaction: HostTransaction,
    { task }: SavedTask,
    hostUpdate: HostUpdate,
  ): Promise<HostTransaction> {
    this.#hasFreshFacts ||= hostUpdate.facts !== undefined;
    const { host } = transaction;
    if (host?.enrolment !== task.enrolment) return transaction;
    return { ...transaction, host: await applyHostUpdate(transaction, host, hostUpdate) };
  }
}
