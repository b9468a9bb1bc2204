import type { Static } from 'typebox';
import type { Overview } from '../../contract/routes/overview.ts';
import type { Overview as OverviewRecord } from '../../domain/fleet-stats.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';
import { viewCluster } from './cluster.ts';

const NO_HOSTS: Readonly<Record<HostStatus, number>> = {
  investigating: 0,
  bootstrapping: 0,
  active: 0,
  disassociated: 0,
  failed: 0,
  unreachable: 0,
};

export function viewOverview(overview: OverviewRecord): Static<typeof Overview> {
  const { hosts, inMaintenance, clusters, openOperations } = overview;
  const byStatus = { ...NO_HOSTS, ...hosts };
  return {
    hosts: {
      total: Object.values(byStatus).reduce((sum, count) => sum + count, 0),
      in_maintenance: inMaintenance,
      by_status: byStatus,
    },
    clusters: clusters.map(viewCluster),
    operations: { in_process: openOperations },
  };
}
