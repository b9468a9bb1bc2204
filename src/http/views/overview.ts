import type { Static } from 'typebox';
import type { Overview } from '../../contract/overview.ts';
import type { Overview as OverviewRecord } from '../../domain/overview.ts';
import { HOST_STATUSES } from '../../domain/vocabulary.ts';
import { viewCluster } from './cluster.ts';

export function viewOverview(overview: OverviewRecord): Static<typeof Overview> {
  const { hosts, inMaintenance, clusters, openOperations } = overview;
  const counts = HOST_STATUSES.map(status => [status, hosts[status] ?? 0] as const);
  return {
    hosts: {
      total: counts.reduce((sum, [, count]) => sum + count, 0),
      in_maintenance: inMaintenance,
      by_status: Object.fromEntries(counts) as Record<(typeof HOST_STATUSES)[number], number>,
    },
    clusters: clusters.map(viewCluster),
    operations: { in_process: openOperations },
  };
}
