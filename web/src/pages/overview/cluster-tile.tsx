import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ClusterRecord } from '../../clusters/health.ts';
import { healthParts, healthWords } from '../../clusters/health.ts';
import { HostBar } from '../../operations/host-bar.tsx';
import { countsWords } from '../../operations/host-counts.ts';
import type { Operation } from '../../operations/operation.ts';
import { operationTitle } from '../../operations/operation.ts';
import { OperationState } from '../../operations/operation-state.tsx';
import { StartOperation } from '../../operations/start/start-operation.tsx';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ProportionBar } from '../../ui/proportion-bar.tsx';
import { Status } from '../../ui/status.tsx';
import styles from './cluster-tile.module.css';

interface ClusterTileProps {
  readonly cluster: ClusterRecord;
  readonly running: Operation | undefined;
}

const Running = ({ of }: { readonly of: Operation }) => (
  <div className={styles.running}>
    <div className={styles.row}>
      <Link to="/operations/$id" params={{ id: of.id }}>
        {operationTitle(of)}
      </Link>
      <OperationState {...of} />
    </div>
    <HostBar counts={of.counts} />
    <p className="soft">{countsWords(of.counts)}</p>
  </div>
);

/** A cluster at a glance. */
export function ClusterTile({ cluster, running }: ClusterTileProps) {
  const { name, status, network, container_manager } = cluster;
  const { may } = useMay();
  const [isStarting, setIsStarting] = useState(false);
  return (
    <li className={`${styles.tile} ${styles[status]}`}>
      <div className={styles.row}>
        <h3>
          <Link to="/clusters/$name" params={{ name }}>
            {name}
          </Link>
        </h3>
        <Status of={status} />
      </div>
      <div className={styles.health}>
        <ProportionBar label="Hosts" parts={healthParts(cluster)} total={cluster.hosts.total} />
        <p className="soft">{healthWords(cluster)}</p>
      </div>
      {running && <Running of={running} />}
      <div className={styles.foot}>
        <span className="soft">
          Network: {network}
          {container_manager !== '' && ` · Container manager: ${container_manager}`}
        </span>
        {may('putRestart') && running === undefined && (
          <Button
            size="small"
            kind="quiet"
            aria-label={`Start operation on ${name}`}
            onClick={() => setIsStarting(true)}
          >
            Start operation
          </Button>
        )}
      </div>
      <StartOperation cluster={name} isOpen={isStarting} onClose={() => setIsStarting(false)} />
    </li>
  );
}
