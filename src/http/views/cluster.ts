import type { Static } from 'typebox';
import type { Cluster } from '../../contract/routes/clusters.ts';
import type { ClusterWithCounts } from '../../domain/clusters/cluster.ts';
import { clusterHealth } from '../../domain/clusters/cluster-status.ts';

export function viewCluster({
  name,
  network,
  containerManager,
  members,
}: ClusterWithCounts): Static<typeof Cluster> {
  const { status, ...hosts } = clusterHealth(members);
  return { name, status, network, container_manager: containerManager ?? '', hosts };
}
