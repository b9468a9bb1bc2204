import type { RecordName } from './record-name.ts';
import type { ClusterStatus, HostStatus } from './vocabulary.ts';
import { PENDING_STATUSES } from './vocabulary.ts';

export interface Cluster {
  readonly name: RecordName;
  readonly network: RecordName;
  readonly containerManager: RecordName | null;
  /** The ETag. Changes with the settings, not with the members. */
  readonly revision: string;
}

/** A missing status counts as 0. `in_maintenance` counts the members that would be active without it. */
export type MemberCounts = Readonly<Partial<Record<HostStatus | 'in_maintenance', number>>>;

export interface ClusterWithCounts extends Cluster {
  readonly members: MemberCounts;
}

export interface ClusterHealth {
  readonly status: ClusterStatus;
  readonly total: number;
  readonly available: number;
  readonly unavailable: number;
}

export function clusterHealth(members: MemberCounts): ClusterHealth {
  const total = Object.values(members).reduce((sum, count) => sum + count, 0);
  const available = members.active ?? 0;
  const pending = PENDING_STATUSES.reduce((sum, status) => sum + (members[status] ?? 0), 0);
  const status = available === total ? 'ok' : available + pending === 0 ? 'failed' : 'degraded';
  return { status, total, available, unavailable: total - available };
}
