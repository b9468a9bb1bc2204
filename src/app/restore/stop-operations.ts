import type { Address } from '../../domain/addresses/address.ts';
import { operationStatusEvents } from '../../domain/events/status-events.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { hostAfterRestore, statusAfterRestore } from '../../domain/rollout/after-restore.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import { IN_FLIGHT_PHASES, PREPARING_PHASES } from '../../domain/rollout/operation-host.ts';
import type { Change } from '../change.ts';
import { tellHosts } from '../operations/tell-hosts.ts';

export interface StoppedOperation {
  readonly id: string;
  readonly kind: string;
  readonly cluster: RecordName;
  /** Hosts that it was at work on, and has given up. */
  readonly givenUp: readonly Address[];
}

const UNDER_WAY = [...PREPARING_PHASES, ...IN_FLIGHT_PHASES];

/** Takes the hosts of an operation out of its hands, but those on which it only looks. */
async function stopHosts(
  under: Change,
  operation: ClusterOperation,
  backupAt: string,
): Promise<StoppedOperation['givenUp']> {
  const { records, now } = under;
  const { id } = operation;
  const planned = await records.operationHosts.inPhases(id, UNDER_WAY);
  const after = planned.map(host => hostAfterRestore(host, now(), backupAt));
  const stopped = after.filter(host => !planned.includes(host));
  await records.work.dropOf(
    id,
    stopped.map(({ host }) => host),
  );
  await records.operationHosts.updateAll(id, stopped);
  await tellHosts(under, operation, stopped);
  return stopped.filter(({ phase }) => phase === 'failed').map(({ host }) => host);
}

/** Has every operation that is open wait for a person. */
export async function stopOperations(under: Change, backupAt: string): Promise<readonly StoppedOperation[]> {
  const { records } = under;
  const { items } = await records.operations.list({ status: 'in_process' }, {});
  // As everybody locks them.
  const ids = items.map(({ id }) => id).sort();
  const open: ClusterOperation[] = [];
  for (const id of ids) {
    const operation = await records.operations.lock(id);
    if (operation) open.push(operation);
  }
  const found: StoppedOperation[] = [];
  const nowMs = await records.nowMs();
  for (const operation of open) {
    const { id, kind, cluster } = operation;
    found.push({ id, kind, cluster, givenUp: await stopHosts(under, operation, backupAt) });
    const standing = statusAfterRestore(operation, backupAt);
    await records.operations.setStanding({ ...operation, ...standing, blockedSinceMs: null }, nowMs);
    await under.tell(operationStatusEvents(operation, standing));
  }
  return found;
}
