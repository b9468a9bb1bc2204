import type { Static } from 'typebox';
import type { Cluster } from '../../contract/routes/clusters.ts';
import type { ClusterWithCounts } from '../../domain/cluster.ts';
import { clusterHealth } from '../../domain/cluster.ts';

export function viewCluster({
  name,
  network,
  containerManager,
  members,
}: ClusterWithCounts): Static<typeof Cluster> {
  const { status, ...hosts } = clusterHealth(members);
  return { name, status, network, container_manager: containerManager ?? '', hosts };
}
