import styles from './cluster-tile.module.css';
import { ClusterTile } from './cluster-tile.tsx';
import type { ClusterRecord } from './health.ts';
import { worstFirst } from './health.ts';
import { newestByCluster } from './operation-parts.ts';
import { useRunning } from './use-operations.ts';

/** Clusters as tiles, the worst first. */
export function ClusterTiles({ clusters }: { readonly clusters: readonly ClusterRecord[] }) {
  const { data = [] } = useRunning();
  const running = newestByCluster(data);
  return (
    <ul className={styles.tiles}>
      {worstFirst(clusters, running).map(cluster => (
        <ClusterTile key={cluster.name} cluster={cluster} running={running.get(cluster.name)} />
      ))}
    </ul>
  );
}
