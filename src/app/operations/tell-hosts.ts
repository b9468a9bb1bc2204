import { operationHostEvent } from '../../domain/events/status-events.ts';
import type { ClusterOperation } from '../../domain/rollout/operation.ts';
import type { OperationHost } from '../../domain/rollout/operation-host.ts';
import type { Change } from '../change.ts';

/** Tells in which state hosts of an operation are now. */
export const tellHosts = (
  { tell }: Pick<Change, 'tell'>,
  operation: Pick<ClusterOperation, 'id' | 'cluster' | 'kind'>,
  hosts: readonly OperationHost[],
): Promise<void> => tell(hosts.map(planned => operationHostEvent(operation, planned)));
