import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import { asSkipped, phaseGroupOf } from '../../domain/rollout/operation-host.ts';
import type { Change } from '../change.ts';
import { tellHosts } from './tell-hosts.ts';

/** Hosts that have left the cluster are not waited for any more, and none holds a slot. None of them is in flight. */
export async function leaveOut(
  under: Change,
  operation: ClusterOperation,
  gone: readonly OperationHost[],
): Promise<void> {
  const { records, now } = under;
  const at = now();
  const skippedNow = gone
    .filter(({ phase }) => phaseGroupOf(phase) !== 'ended')
    .map(planned => asSkipped(planned, at, 'left_cluster'));
  const freed = gone.filter(({ holdsSlot }) => holdsSlot).map(planned => ({ ...planned, holdsSlot: false }));
  await records.work.dropOf(
    operation.id,
    skippedNow.map(({ host }) => host),
  );
  await records.operationHosts.updateAll(operation.id, [...skippedNow, ...freed]);
  await tellHosts(under, operation, skippedNow);
}
