import type { ClusterRecord } from '../../clusters/health.ts';
import { worstFirst } from '../../clusters/health.ts';
import { newestByCluster } from '../../operations/operation.ts';
import { useRunning } from '../../operations/use-operations.ts';
import styles from './cluster-tile.module.css';
import { ClusterTile } from './cluster-tile.tsx';

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
