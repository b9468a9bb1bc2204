import type { RecordName } from './record-name.ts';
import type { ClusterStatus, HostStatus } from './vocabulary.ts';
import { PENDING_STATUSES } from './vocabulary.ts';

export interface Cluster {
  readonly name: RecordName;
  readonly network: RecordName;
  readonly containerManager: RecordName | null;
  /** New with every change of the settings (not of the members); the record's ETag. */
  readonly revision: string;
}

/**
 * How many members have each status; a status that is not named has none. Those that would be active, but that people have taken out
 * of service, are counted apart.
 */
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

/**
 * `ok`: no members, or all of them active. `failed`: members, none of them active and none on its way there.
 * `degraded`: anything between. In maintenance no host counts as active.
 */
export function clusterHealth(members: MemberCounts): ClusterHealth {
  const total = Object.values(members).reduce((sum, count) => sum + count, 0);
  const available = members.active ?? 0;
  const pending = PENDING_STATUSES.reduce((sum, status) => sum + (members[status] ?? 0), 0);
  const status = available === total ? 'ok' : available + pending === 0 ? 'failed' : 'degraded';
  return { status, total, available, unavailable: total - available };
}
