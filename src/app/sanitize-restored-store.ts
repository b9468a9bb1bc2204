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
  /** Hosts that it was at work on, and has given up. */
  readonly failedHosts: readonly Address[];
}

const ACTIVE_PHASES = [...PREPARING_PHASES, ...IN_FLIGHT_PHASES];

/** Takes the hosts of an operation out of its hands, but those on which it only looks. */
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

/** Has every operation that is open wait for a person. */
export async function pauseOpenOperations(
  unit: UnitOfWork,
  backupAt: string,
): Promise<readonly PausedOperation[]> {
  const { records } = unit;
  const { items } = await records.operations.list({ status: 'in_process' }, {});
  // As everybody locks them.
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

// A store that was brought back from a backup is older than the world: operations have gone on since, hosts were rebooted, moved and
// repaired, and nothing of that is in it. What must hold: before a server works on it, nothing is left in it that would disturb a
// host by itself. It is done in one transaction, and may be done again.

/** What was found, and is for people to look at. */
export interface RestoreReport {
  /** The latest time that the restored state knows of; `''`: none. */
  readonly backupAt: string;
  readonly operations: readonly PausedOperation[];
  /** Hosts that were about to be taken out of a container manager or a network, and are not any more. */
  readonly droppedLeaveTasks: readonly Address[];
}

interface SanitizeOptions {
  /** All hosts that are watched are checked within this time. */
  readonly checkWithinMs: number;
}

export const sanitizeRestoredStore = (
  ports: Pick<Ports, 'store' | 'clock'>,
  { checkWithinMs }: SanitizeOptions,
): Promise<RestoreReport | AppError> =>
  runUnitOfWork(ports, LOCAL_ACTOR, async unit => {
    const { records } = unit;
    const nowMs = await records.nowMs();
    // An embedded store is locked by whoever restores it, and the servers in it are those of the backup.
    const runningServers = ports.store.isShared ? await records.restore.countLiveServers(nowMs) : 0;
    if (runningServers > 0) return serversStillRunning(runningServers);
    const backupAt = await records.restore.latestTimestamp();
    const operations = await pauseOpenOperations(unit, backupAt);
    await records.restore.invalidateClaims();
    // Whoever was signed out since the backup must not be signed in again.
    await records.loginSessions.removeAll();
    // By now the host may be back where it was to be taken out of, with load on it. To bring hosts in is safe: one that is in
    // something else is left alone.
    const droppedLeaveTasks = await records.restore.deleteTasks('leave');
    await records.restore.scheduleAllChecks(nowMs, checkWithinMs);
    // Whoever follows what happens is told that it is not what it was: with this entry the numbers of the log go on far ahead, and
    // positions before it are not kept.
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
