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

/** The cluster is locked too, and the action is allowed. */
export interface LockedOperation {
  readonly operation: ClusterOperation;
  readonly failures: number;
}

/** A repeated request succeeds after a lost response. */
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
  isClusterRemoved,
}: Pick<ClusterOperation, 'state' | 'pause' | 'isClusterRemoved'>): string {
  if (pause === 'global_pause') return GLOBAL_PAUSE_MESSAGE;
  if (pause === 'window') return 'it is paused until its time window opens';
  return isClusterRemoved && state === 'failed'
    ? `${STATE_TEXTS[state]}, and its cluster was removed`
    : STATE_TEXTS[state];
}

export function actionNotAllowed(
  operation: Pick<ClusterOperation, 'id' | 'state' | 'pause' | 'isClusterRemoved'>,
  action: OperationAction,
  allowed: readonly OperationAction[],
): AppError {
  const actionText = action === 'skip' ? 'skip hosts of' : action;
  const isGloballyPaused = operation.pause === 'global_pause';
  const allowedText = isGloballyPaused || allowed.length === 0 ? '' : `; allowed actions: ${allowed.join(', ')}`;
  return new AppError(
    'invalid_state',
    `cannot ${actionText} operation ${operation.id}: ${stateText(operation)}${allowedText}`,
  );
}

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
  const { failed: failures = 0, pending = 0, staging = 0 } = await records.operationHosts.countByState(id);
  if (action === 'retry' && canRetry(operation)) {
    if (failures + pending + staging > 0) return { operation, failures };
    return new AppError('nothing_to_retry', `the operation ${id} has no failed or pending host`);
  }
  const allowed = allowedActions(operation, { failures });
  if (allowed.includes(action) || isAlreadyDone(operation, action)) return { operation, failures };
  return actionNotAllowed(operation, action, allowed);
}

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

type ApplyAction = (unit: UnitOfWork, locked: LockedOperation) => Promise<Partial<ClusterOperation>>;

const operationAction =
  (action: OperationAction, apply: ApplyAction) =>
  (ports: Ports, actor: Actor, id: string): Promise<ClusterOperation | AppError> =>
    runUnitOfWork(ports, actor, async unit => {
      const locked = await lockForAction(unit.records, id, action);
      if (locked instanceof AppError) return locked;
      const { operation } = locked;
      if (isAlreadyDone(operation, action)) return operation;
      return updateOperationStatus(unit, operation, { ...operation, ...(await apply(unit, locked)) });
    });

/** Hosts in flight finish. */
export const pauseOperation = operationAction('pause', async () => ({ state: 'paused', pause: 'manual', problem: '' }));

/** Accepts the current failures. If all servers are partitioned, the user confirms that the unresponsive hosts are down. */
export const resumeOperation = operationAction('resume', async ({ records }, { operation, failures }) => {
  const isAcknowledged = operation.pause === 'failures' || operation.pause === 'restored';
  await records.operationHosts.clearBlocked(operation.id);
  if (operation.pause === 'partitioned') await records.servers.endPartitions();
  return {
    state: stateAfterResume(operation),
    pause: null,
    problem: '',
    blockedSinceMs: null,
    assessment: assessmentAfterResume(operation),
    ...(isAcknowledged && { acknowledgedFailures: failures, acceptedFailures: failures }),
  };
});

/** Skips hosts that have not started, uncordons hosts that are only cordoned, and lets the others finish. */
export const cancelOperation = operationAction('cancel', async (unit, { operation }) => {
  const open = await unit.records.operationHosts.listByPhase(operation.id, OPEN_PHASES);
  await markHostsSkipped(unit, operation, open, 'cancelled');
  return { state: 'cancelling', pause: null, problem: '' };
});

export const readGlobalPause = ({ store }: Ports): Promise<boolean> => store.reads.serviceFlags.isGloballyPaused();

/** Waits for a reconcile in progress, which may not have seen the flag, and schedules another one. */
const reconcileNow = ({ store }: Pick<Ports, 'store'>, operation: string): Promise<void> =>
  store.transaction(async records => {
    await records.operations.scheduleReconcile(operation, await records.nowMs());
    records.signals.add('due');
  });

/** Hosts in flight finish. One transaction for all operations would block every reconcile until it holds all locks. */
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
  for (const operation of await ports.store.reads.operations.listOpenIds()) await reconcileNow(ports, operation);
  return isPaused;
}
