import type { ClusterOperation } from '../../domain/rolling/operation.ts';
import type { PlannedHost } from '../../domain/rolling/planned-host.ts';
import { hostTold } from '../../domain/rolling/told.ts';
import type { Change } from '../change.ts';

/** Tells in which state hosts of an operation are now. */
export const tellHosts = (
  { tell }: Pick<Change, 'tell'>,
  operation: Pick<ClusterOperation, 'id' | 'cluster' | 'kind'>,
  hosts: readonly PlannedHost[],
): Promise<void> => tell(hosts.map(planned => hostTold(operation, planned)));
