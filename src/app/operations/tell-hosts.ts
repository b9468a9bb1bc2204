import type { PlannedHost } from '../../domain/rolling/host-phase.ts';
import { stateOf } from '../../domain/rolling/host-phase.ts';
import type { ClusterOperation } from '../../domain/rolling/operation.ts';
import type { Change } from '../change.ts';

/** Tells in which state hosts of an operation are now. */
export async function tellHosts(
  { tell }: Pick<Change, 'tell'>,
  { id, cluster }: Pick<ClusterOperation, 'id' | 'cluster'>,
  hosts: readonly PlannedHost[],
): Promise<void> {
  await tell(
    hosts.map(planned => ({
      type: 'operation.host' as const,
      subject: id,
      cluster,
      host: planned.host,
      data: { state: stateOf(planned), attempt: planned.attempt },
    })),
  );
}
