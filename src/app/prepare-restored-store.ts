import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import type { Address } from '../domain/addresses/address.ts';
import { AppError } from '../domain/errors.ts';
import { operationStatusEvents } from '../domain/events/status-events.ts';
import type { RecordName } from '../domain/record-name.ts';
import { hostAfterRestore, statusAfterRestore } from '../domain/rollout/after-restore.ts';
import type { ClusterOperation } from '../domain/rollout/operation.ts';
import { IN_FLIGHT_PHASES, PREPARING_PHASES } from '../domain/rollout/operation-host.ts';
import { emitHostEvents } from './operations/operation-hosts.ts';
import type { Ports } from './ports.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import { runUnitOfWork } from './unit-of-work.ts';

interface PausedOperation {
  readonly id: string;
  readonly kind: string;
  readonly cluster: RecordName;
  /** Marked as failed, because the operation was active on them. */
  readonly failedHosts: readonly Address[];
}

const ACTIVE_PHASES = [...PREPARING_PHASES, ...IN_FLIGHT_PHASES];

/** Except in phases that no longer change the host. */
async function abortHostTasks(
  unit: UnitOfWork,
  operation: ClusterOperation,
  backupAt: string,
): Promise<PausedOperation['failedHosts']> {
  const { records, now } = unit;
  const { id } = operation;
  const operationHosts = await records.operationHosts.listByPhase(id, ACTIVE_PHASES);
  const after = operationHosts.map(host => hostAfterRestore(host, now(), backupAt));
  const abortedHosts = after.filter(host => !operationHosts.includes(host));
  await records.tasks.deleteForOperation(
    id,
    abortedHosts.map(({ host }) => host),
  );
  await records.operationHosts.updateAll(id, abortedHosts);
  await emitHostEvents(unit, operation, abortedHosts);
  return abortedHosts.filter(({ phase }) => phase === 'failed').map(({ host }) => host);
}

/** Until an administrator decides. */
async function pauseOpenOperations(unit: UnitOfWork, backupAt: string): Promise<readonly PausedOperation[]> {
  const { records } = unit;
  const { items } = await records.operations.list({ status: 'in_process' }, {});
  // Same lock order as all other transactions.
  const ids = items.map(({ id }) => id).sort();
  const open: ClusterOperation[] = [];
  for (const id of ids) {
    const operation = await records.operations.lock(id);
    if (operation) open.push(operation);
  }
  const pausedOperations: PausedOperation[] = [];
  const nowMs = await records.nowMs();
  for (const operation of open) {
    const { id, kind, cluster } = operation;
    pausedOperations.push({ id, kind, cluster, failedHosts: await abortHostTasks(unit, operation, backupAt) });
    const status = statusAfterRestore(operation, backupAt);
    await records.operations.updateStatus({ ...operation, ...status, blockedSinceMs: null }, nowMs);
    await unit.emit(operationStatusEvents(operation, status));
  }
  return pausedOperations;
}

// Operations, reboots and repairs since the backup are missing in the store. Invariant: before a server uses it,
// nothing in it changes a host automatically. Everything happens in one transaction and is idempotent.

export interface RestoreReport {
  /** The latest timestamp in the store; may be empty. */
  readonly backupAt: string;
  readonly operations: readonly PausedOperation[];
  /** Their pending removal from a container manager or network was dropped. */
  readonly droppedLeaveTasks: readonly Address[];
}

interface SanitizeOptions {
  /** Time limit for the first check of all monitored hosts. */
  readonly checkWithinMs: number;
}

export const prepareRestoredStore = (
  ports: Pick<Ports, 'store' | 'clock'>,
  { checkWithinMs }: SanitizeOptions,
): Promise<RestoreReport | AppError> =>
  runUnitOfWork(ports, LOCAL_ACTOR, async unit => {
    const { records } = unit;
    const nowMs = await records.nowMs();
    // The restore command holds the lock of an embedded store, and the servers recorded in it are those of the backup.
    const runningServers = ports.store.isShared ? await records.restore.countLiveServers(nowMs) : 0;
    if (runningServers > 0) return serversStillRunning(runningServers);
    const backupAt = await records.restore.latestTimestamp();
    const operations = await pauseOpenOperations(unit, backupAt);
    await records.restore.invalidateClaims();
    // A user who signed out after the backup must not be signed in again.
    await records.loginSessions.removeAll();
    // The host may have rejoined and may carry load. Join tasks are safe: they ignore a host registered elsewhere.
    const droppedLeaveTasks = await records.restore.deleteTasks('leave');
    await records.restore.scheduleAllChecks(nowMs, checkWithinMs);
    // The event ID jumps ahead, so subscribers with an older position get a reset.
    const data = {
      backup_at: backupAt,
      ...(droppedLeaveTasks.length > 0 && { cleanup_skipped: droppedLeaveTasks }),
    };
    await unit.emit({ type: 'service.restored', subject: 'service', data });
    return { backupAt, operations, droppedLeaveTasks };
  });

const serversStillRunning = (servers: number) =>
  new AppError(
    'invalid_state',
    `${servers === 1 ? 'a server is' : `${servers} servers are`} still using this store; stop all servers, wait lease_s seconds, then run this command again`,
  );
