import { partOf } from '../../domain/rolling/host-phase.ts';
import type { ClusterOperation } from '../../domain/rolling/operation.ts';
import type { PlannedHost } from '../../domain/rolling/planned-host.ts';
import { skipped } from '../../domain/rolling/planned-host.ts';
import type { Change } from '../change.ts';
import { tellHosts } from './tell-hosts.ts';

/** Hosts that have left the cluster are not waited for any more, and none holds a slot. None of them is in flight. */
export async function leaveOut(
  under: Change,
  operation: ClusterOperation,
  gone: readonly PlannedHost[],
): Promise<void> {
  const { records, now } = under;
  const at = now();
  const skippedNow = gone
    .filter(({ phase }) => partOf(phase) !== 'ended')
    .map(planned => skipped(planned, at, 'left_cluster'));
  const freed = gone.filter(({ keepsSlot }) => keepsSlot).map(planned => ({ ...planned, keepsSlot: false }));
  await records.work.dropOf(
    operation.id,
    skippedNow.map(({ host }) => host),
  );
  await records.operationHosts.updateAll(operation.id, [...skippedNow, ...freed]);
  await tellHosts(under, operation, skippedNow);
}
