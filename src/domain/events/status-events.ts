import type { Host } from '../hosts/host.ts';
import type { RecordName } from '../record-name.ts';
import type { ClusterOperation, OperationStatus } from '../rollout/operation.ts';
import { isOperationOpen, pausedBy } from '../rollout/operation.ts';
import type { OperationHost } from '../rollout/operation-host.ts';
import { displayState } from '../rollout/operation-host.ts';
import type { HostStatus } from '../vocabulary.ts';
import type { DomainEvent } from './domain-event.ts';

export const hostStatusEvent = (
  { address, cluster, status: from, maintenance }: Host,
  to: HostStatus,
  { reason = '', eventCluster = cluster }: { reason?: string; eventCluster?: RecordName | null } = {},
): DomainEvent => ({
  type: 'host.status',
  subject: address,
  host: address,
  cluster: eventCluster,
  data: {
    from,
    to,
    ...(reason && { reason }),
    ...(maintenance !== null && { in_maintenance: true as const }),
  },
});

type OperationRef = Pick<ClusterOperation, 'id' | 'cluster' | 'kind'>;

const optionalProblem = (problem: string) => (problem === '' ? {} : { problem });

export const operationHostEvent = ({ id, cluster, kind }: OperationRef, operationHost: OperationHost): DomainEvent => ({
  type: 'operation.host',
  subject: id,
  cluster,
  host: operationHost.host,
  operation: id,
  data: {
    kind,
    state: displayState(operationHost),
    attempt: operationHost.attempt,
    ...optionalProblem(operationHost.problem),
  },
});

export function operationStatusEvents(
  { id, cluster, kind, ...before }: OperationRef & OperationStatus,
  { state, pause, problem }: OperationStatus,
): readonly DomainEvent[] {
  if (state === before.state && pause === before.pause) return [];
  const header = { subject: id, cluster, operation: id };
  if (!isOperationOpen({ state }))
    return [{ type: 'operation.ended', ...header, data: { kind, state, ...optionalProblem(problem) } }];
  const reason = pause && { paused_by: pausedBy(pause) };
  return [{ type: 'operation.state', ...header, data: { kind, state, ...reason, ...optionalProblem(problem) } }];
}
