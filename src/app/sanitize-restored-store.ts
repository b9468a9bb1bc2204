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

export interface PausedOperation {
  readonly id: string;
  readonly kind: string;
  readonly cluster: RecordName;
  /** Hosts on which the operation was active. They are marked as failed. */
  readonly failedHosts: readonly Address[];
}

const ACTIVE_PHASES = [...PREPARING_PHASES, ...IN_FLIGHT_PHASES];

/** Stops the operation on all active hosts, except in phases that no longer change the host. */
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

/** Pauses every open operation until an administrator decides. */
export async function pauseOpenOperations(unit: UnitOfWork, backupAt: string): Promise<readonly PausedOperation[]> {
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
    pausedOperations.push({
      id,
      kind,
      cluster,
      failedHosts: await abortHostTasks(unit, operation, backupAt),
    });
    const status = statusAfterRestore(operation, backupAt);
    await records.operations.updateStatus({ ...operation, ...status, blockedSinceMs: null }, nowMs);
    await unit.emit(operationStatusEvents(operation, status));
  }
  return pausedOperations;
}

// Prepares a store that was restored from a backup. Operations, reboots and repairs since the backup are missing in it.
// Invariant: before a server uses the store, nothing in it changes a host automatically. Everything happens in one
// transaction and is idempotent.

/** For the administrator who restored the store. */
export interface RestoreReport {
  /** Latest timestamp in the restored store; empty if there is none. */
  readonly backupAt: string;
  readonly operations: readonly PausedOperation[];
  /** Hosts whose pending removal from a container manager or network was dropped. */
  readonly droppedLeaveTasks: readonly Address[];
}

interface SanitizeOptions {
  /** All monitored hosts are checked within this time. */
  readonly checkWithinMs: number;
}

export const sanitizeRestoredStore = (
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
    // The host may have rejoined since and may carry load. Join tasks are safe: they leave a host alone that is
    // registered elsewhere.
    const droppedLeaveTasks = await records.restore.deleteTasks('leave');
    await records.restore.scheduleAllChecks(nowMs, checkWithinMs);
    // The event ID jumps ahead with this event, so subscribers with an older position get a reset.
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
