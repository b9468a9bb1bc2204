import { useState } from 'react';
import { usePermissions } from '../../auth/session.tsx';
import type { ClusterRecord } from '../../clusters/cluster-health.ts';
import { formatHealth, healthSegments, sortByHealth } from '../../clusters/cluster-health.ts';
import { HostProgressBar, OperationBadge, OperationLink } from '../../operations/operation-badge.tsx';
import type { Operation } from '../../operations/operation-summary.ts';
import { formatResult, latestByCluster } from '../../operations/operation-summary.ts';
import { useRunningOperations } from '../../operations/queries.ts';
import { StartOperationDialog } from '../../operations/start/start-operation.tsx';
import { Button } from '../../ui/button.tsx';
import { ClusterLink } from '../../ui/links.tsx';
import { SegmentedBar } from '../../ui/segmented-bar.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import styles from './cluster-tiles.module.css';

interface ClusterTileProps {
  readonly cluster: ClusterRecord;
  readonly running: Operation | undefined;
}

const RunningOperation = ({ operation }: { readonly operation: Operation }) => (
  <div className={styles.running}>
    <div className={styles.row}>
      <OperationLink operation={operation} />
      <OperationBadge {...operation} />
    </div>
    <HostProgressBar counts={operation.counts} />
    <p className="muted">{formatResult(operation.counts)}</p>
  </div>
);

function ClusterTile({ cluster, running }: ClusterTileProps) {
  const { name, status, network, container_manager } = cluster;
  const { can } = usePermissions();
  const [isStarting, setIsStarting] = useState(false);
  return (
    <li className={`${styles.tile} ${styles[status]}`}>
      <div className={styles.row}>
        <h3>
          <ClusterLink name={name} />
        </h3>
        <StatusBadge status={status} />
      </div>
      <div className={styles.health}>
        <SegmentedBar label="Hosts" segments={healthSegments(cluster)} total={cluster.hosts.total} />
        <p className="muted">{formatHealth(cluster)}</p>
      </div>
      {running && <RunningOperation operation={running} />}
      <div className={styles.foot}>
        <span className="muted">
          Network: {network}
          {container_manager !== '' && ` · Container manager: ${container_manager}`}
        </span>
        {can('putRestart') && running === undefined && (
          <Button
            size="small"
            variant="quiet"
            aria-label={`Start operation on ${name}`}
            onClick={() => setIsStarting(true)}
          >
            Start operation
          </Button>
        )}
      </div>
      {isStarting && <StartOperationDialog cluster={name} onClose={() => setIsStarting(false)} />}
    </li>
  );
}

export function ClusterTiles({ clusters }: { readonly clusters: readonly ClusterRecord[] }) {
  const { data = [] } = useRunningOperations();
  const running = latestByCluster(data);
  return (
    <ul className={styles.tiles}>
      {sortByHealth(clusters, running).map(cluster => (
        <ClusterTile key={cluster.name} cluster={cluster} running={running.get(cluster.name)} />
      ))}
    </ul>
  );
}
