import type { ClusterStatus } from '../vocabulary.ts';
import { ON_THEIR_WAY } from '../vocabulary.ts';
import type { MemberCounts } from './cluster.ts';

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
  const onTheirWay = ON_THEIR_WAY.reduce((sum, status) => sum + (members[status] ?? 0), 0);
  const status = available === total ? 'ok' : available + onTheirWay === 0 ? 'failed' : 'degraded';
  return { status, total, available, unavailable: total - available };
}
