import { operationHostEvent } from '../../domain/events/status-events.ts';
import type { HostUpdate } from '../../domain/hosts/host-status.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import {
  asDelayed,
  asDone,
  asFailed,
  asSkipped,
  asStaged,
  displayState,
  phaseGroupOf,
  wasInFlight,
  withPhase,
} from '../../domain/rollout/operation-host.ts';
import type { OperationTask, Rollback, StepResult, Task, TaskState } from '../../domain/tasks/task.ts';
import { isOperationTask } from '../../domain/tasks/task.ts';
import type { TaskProcedure } from '../../procedures/index.ts';
import { isRelockFailed } from '../../procedures/rollout/apply.ts';
import { isCordonRolledBack, isCordonSkipped } from '../../procedures/rollout/drain.ts';
import { verifiedBootId } from '../../procedures/rollout/verify.ts';
import { isVerifyOnly, VERIFY_ONLY } from '../../procedures/rollout/verify-only.ts';
import { applicableSteps } from '../../procedures/step.ts';
import type { HostTransaction } from '../host-transaction.ts';

/**
 * Updates the operation host and emits `operation.host` if its state changes. Ignores updates from an older
 * attempt or after the host has ended.
 */
export async function updateOperationHost(
  { records, emit, requestReconcile }: Pick<HostTransaction, 'records' | 'emit' | 'requestReconcile'>,
  {
    operation,
    operationKind,
    host,
    cluster,
    attempt: taskAttempt,
  }: Pick<OperationTask, 'operation' | 'operationKind' | 'host' | 'cluster' | 'attempt'>,
  update: (current: OperationHost) => OperationHost,
): Promise<void> {
  const current = await records.operationHosts.lock(operation, host);
  if (current?.attempt !== taskAttempt || phaseGroupOf(current.phase) === 'ended') return;
  const next = update(current);
  if (next === current) return;
  await records.operationHosts.update(operation, next);
  const [state, previous] = [displayState(next), displayState(current)];
  const isReconcileDue = next.isStaged !== current.isStaged || (next.asksToReboot && !current.asksToReboot);
  if (state === previous && !isReconcileDue) return;
  if (state !== previous) await emit(operationHostEvent({ id: operation, cluster, kind: operationKind }, next));
  requestReconcile(cluster);
}

// The functions below record the progress of a task in its operation. They do nothing for tasks of other
// kinds.

export async function recordStepStarted(
  transaction: HostTransaction,
  task: Task,
  procedure: TaskProcedure,
  state: TaskState,
): Promise<void> {
  const { done, rollback } = state;
  if (!isOperationTask(task) || rollback) return;
  const steps = applicableSteps(procedure.steps, state);
  const phase = steps.find(({ name }) => !Object.hasOwn(done, name))?.phase;
  await updateOperationHost(transaction, task, operationHost => {
    const next = phase ? withPhase(operationHost, phase, transaction.at) : operationHost;
    const isCordoned = next.isCordoned && !isCordonSkipped(state);
    return isCordoned === next.isCordoned && next === operationHost ? operationHost : { ...next, isCordoned };
  });
}

export async function recordStepDelayed(
  transaction: HostTransaction,
  task: Task,
  delay: { readonly problem: string; readonly isUnresponsive: boolean; readonly asksToReboot: boolean },
): Promise<void> {
  if (!isOperationTask(task)) return;
  await updateOperationHost(transaction, task, operationHost => {
    const next = asDelayed(operationHost, delay);
    const isSame =
      next.problem === operationHost.problem &&
      next.isUnreachable === operationHost.isUnreachable &&
      next.asksToReboot === operationHost.asksToReboot;
    return isSame ? operationHost : next;
  });
}

/** Called after the last step or a noop. Returns the resulting update of the host. */
export async function recordTaskFinished(
  transaction: HostTransaction,
  task: Task,
  state: TaskState,
  { isNoop }: { readonly isNoop: boolean },
): Promise<HostUpdate> {
  if (!isOperationTask(task)) return {};
  const { at } = transaction;
  if (task.kind === 'stage') {
    const results: StepResult = Object.assign({}, ...Object.values(state.done));
    await updateOperationHost(transaction, task, operationHost => {
      if (!isNoop) return asStaged(operationHost, at, results);
      // An earlier attempt can have left the host cordoned or unhealthy, so it must be verified.
      return wasInFlight(operationHost)
        ? asStaged(operationHost, at, { ...results, ...VERIFY_ONLY })
        : asDone(operationHost, at, { wasNoop: true });
    });
    return {};
  }
  await updateOperationHost(transaction, task, operationHost => ({
    ...asDone(operationHost, at, { wasNoop: isVerifyOnly(task.stageResult) }),
    isCordoned: false,
  }));
  const bootId = verifiedBootId(state);
  return {
    trigger: 'became_reachable',
    check: 'passed',
    ...(bootId !== undefined && { facts: { bootId } }),
  };
}

export async function recordHostDeleted(transaction: HostTransaction, task: Task): Promise<void> {
  if (!isOperationTask(task)) return;
  await updateOperationHost(transaction, task, operationHost =>
    asSkipped(operationHost, transaction.at, 'left_cluster'),
  );
}

export async function recordRolledBack(
  transaction: HostTransaction,
  task: Task,
  state: TaskState,
  { reason, problem }: Rollback,
): Promise<void> {
  if (!isOperationTask(task)) return;
  const { at } = transaction;
  const isUnlocked = isRelockFailed(state);
  await updateOperationHost(transaction, task, operationHost => {
    const isCordoned = operationHost.isCordoned && !isCordonRolledBack(state);
    const remaining = { ...operationHost, isCordoned };
    if (typeof reason === 'string') return asSkipped(remaining, at, reason, { isUnlocked });
    // A host that a user has skipped stays skipped when its task fails; the problem is recorded.
    if (operationHost.abortReason === 'by_hand') return asSkipped(remaining, at, 'by_hand', { isUnlocked, problem });
    // A host left cordoned keeps its slot. Otherwise the rollout could take the whole cluster out of service
    // one host at a time.
    return asFailed(remaining, at, { problem, holdsSlot: reason.holdsSlot || isCordoned, isUnlocked });
  });
}
