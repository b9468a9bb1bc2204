// What people may ask of an operation: to pause, to go on, to be cancelled.

import type { Actor } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import { operationStatusEvents } from '../../domain/events/status-events.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import {
  allowedActions,
  assessmentAfterResume,
  canRetry,
  GLOBAL_PAUSE_MESSAGE,
  isManuallyPaused,
  stateAfterResume,
} from '../../domain/rollout/operation.ts';
import { OPEN_PHASES } from '../../domain/rollout/operation-host.ts';
import type { OperationAction, OperationState } from '../../domain/vocabulary.ts';
import type { Repositories } from '../../store/repositories/index.ts';
import type { Ports } from '../ports.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { markHostsSkipped } from './operation-hosts.ts';
import { operationNotFound } from './read-operations.ts';

/** An operation that is locked, with its cluster, and that may be asked this now. */
export interface LockedOperation {
  readonly operation: ClusterOperation;
  readonly failures: number;
}

/** Whoever has lost the first answer may ask again. */
const isAlreadyDone = (operation: ClusterOperation, action: OperationAction): boolean =>
  (action === 'pause' && isManuallyPaused(operation)) ||
  (action === 'cancel' && (operation.state === 'cancelling' || operation.state === 'cancelled'));

const STATE_TEXTS: Readonly<Record<OperationState, string>> = {
  planned: 'it has not started yet',
  running: 'it is running',
  paused: 'it is paused',
  cancelling: 'it is being cancelled',
  finished: 'it has finished',
  failed: 'it has failed',
  cancelled: 'it was cancelled',
};

function stateText({
  state,
  pause,
  isClusterDeleted,
}: Pick<ClusterOperation, 'state' | 'pause' | 'isClusterDeleted'>): string {
  if (pause === 'global_pause') return GLOBAL_PAUSE_MESSAGE;
  if (pause === 'window') return 'it is paused until its time window opens';
  return isClusterDeleted && state === 'failed'
    ? `${STATE_TEXTS[state]}, and its cluster was removed`
    : STATE_TEXTS[state];
}

export function actionNotAllowed(
  operation: Pick<ClusterOperation, 'id' | 'state' | 'pause' | 'isClusterDeleted'>,
  action: OperationAction,
  allowed: readonly OperationAction[],
): AppError {
  const actionText = action === 'skip' ? 'skip hosts of' : action;
  const isGloballyPaused = operation.pause === 'global_pause';
  const allowedText =
    isGloballyPaused || allowed.length === 0 ? '' : `; allowed actions: ${allowed.join(', ')}`;
  return new AppError(
    'invalid_state',
    `cannot ${actionText} operation ${operation.id}: ${stateText(operation)}${allowedText}`,
  );
}

/** Locks an operation; refuses when this cannot be asked of it now. */
export async function lockForAction(
  records: Repositories,
  id: string,
  action: OperationAction,
): Promise<LockedOperation | AppError> {
  const unlocked = await records.operations.get(id);
  if (unlocked === undefined) return operationNotFound(id);
  await records.clusters.lock(unlocked.cluster);
  const operation = await records.operations.lock(id);
  if (operation === undefined) return operationNotFound(id);
  const { failed: failures = 0, pending = 0, staging = 0 } = await records.operationHosts.countByPhase(id);
  if (action === 'retry' && canRetry(operation)) {
    if (failures + pending + staging > 0) return { operation, failures };
    return new AppError('nothing_to_retry', `the operation ${id} has no failed or pending host`);
  }
  const allowed = allowedActions(operation, { failures });
  if (allowed.includes(action) || isAlreadyDone(operation, action)) return { operation, failures };
  return actionNotAllowed(operation, action, allowed);
}

/** Writes where an operation stands, and has it looked at. */
export async function updateOperationStatus(
  { records, emit, requestReconcile }: UnitOfWork,
  before: ClusterOperation,
  after: ClusterOperation,
): Promise<ClusterOperation> {
  await records.operations.updateStatus(after, await records.nowMs());
  await emit(operationStatusEvents(before, after));
  requestReconcile(after.cluster);
  return after;
}

/** Starts on no more hosts until it is resumed; what is in flight comes to its end. */
export async function pauseOperation(ports: Ports, actor: Actor, id: string) {
  return runUnitOfWork(ports, actor, async unit => {
    const locked = await lockForAction(unit.records, id, 'pause');
    if (locked instanceof AppError) return locked;
    const { operation } = locked;
    if (isManuallyPaused(operation)) return operation;
    return updateOperationStatus(unit, operation, {
      ...operation,
      state: 'paused',
      pause: 'manual',
      problem: '',
    });
  });
}

/**
 * Continues. A person has seen the failures, and accepts them. Members that are out of service are assessed again. Where every server is
 * partitioned, a person says that the silent hosts are down.
 */
export async function resumeOperation(ports: Ports, actor: Actor, id: string) {
  return runUnitOfWork(ports, actor, async unit => {
    const locked = await lockForAction(unit.records, id, 'resume');
    if (locked instanceof AppError) return locked;
    const { operation, failures } = locked;
    const isAcknowledged = operation.pause === 'failures' || operation.pause === 'restored';
    const accepted = isAcknowledged ? { acknowledgedFailures: failures, acceptedFailures: failures } : {};
    await unit.records.operationHosts.clearBlocked(id);
    if (operation.pause === 'partitioned') await unit.records.servers.endPartitions();
    return updateOperationStatus(unit, operation, {
      ...operation,
      state: stateAfterResume(operation),
      ...{ pause: null, problem: '', blockedSinceMs: null, assessment: assessmentAfterResume(operation) },
      ...accepted,
    });
  });
}

/** Ends it as soon as nothing is left half done: what is not begun is skipped, what was only cordoned is uncordoned, the rest is brought to its end. */
export async function cancelOperation(ports: Ports, actor: Actor, id: string) {
  return runUnitOfWork(ports, actor, async unit => {
    const { records } = unit;
    const locked = await lockForAction(records, id, 'cancel');
    if (locked instanceof AppError) return locked;
    const { operation } = locked;
    if (operation.state === 'cancelling' || operation.state === 'cancelled') return operation;
    const open = await records.operationHosts.listByPhase(id, OPEN_PHASES);
    await markHostsSkipped(unit, operation, open, 'cancelled');
    return updateOperationStatus(unit, operation, {
      ...operation,
      state: 'cancelling',
      pause: null,
      problem: '',
    });
  });
}

export const readGlobalPause = ({ store }: Ports): Promise<boolean> =>
  store.reads.serviceFlags.isGloballyPaused();

/** Waits for whoever is deciding on it, and may not have seen the switch; then it is looked at anew. */
const reconcileNow = ({ store }: Pick<Ports, 'store'>, operation: string): Promise<void> =>
  store.transaction(async records => {
    await records.operations.scheduleReconcile(operation, await records.nowMs());
    records.signals.add('due');
  });

/**
 * Holds all operations at once, or releases them: nothing new is started, what is in flight comes to its end. Operations are waited for one by
 * one, each by itself: in one transaction, whoever decides on any of them would wait until all others were had.
 */
export async function setGlobalPause(
  ports: Pick<Ports, 'store' | 'clock'>,
  actor: Actor,
  isPaused: boolean,
): Promise<boolean> {
  await runUnitOfWork(ports, actor, async ({ records, emit }) => {
    if ((await records.serviceFlags.isGloballyPaused()) === isPaused) return;
    await records.serviceFlags.setGloballyPaused(isPaused);
    await emit({ type: isPaused ? 'operations.paused' : 'operations.resumed', subject: 'operations' });
  });
  for (const operation of await ports.store.reads.operations.listOpenIds())
    await reconcileNow(ports, operation);
  return isPaused;
}
