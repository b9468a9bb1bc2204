import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ProportionBar } from '../../ui/proportion-bar.tsx';
import { Status } from '../../ui/status.tsx';
import { StartOperation } from '../cluster/start-operation/start-operation.tsx';
import styles from './cluster-tile.module.css';
import type { ClusterRecord } from './health.ts';
import { healthParts, healthWords } from './health.ts';
import type { Operation } from './operation-parts.ts';
import { operationCounts, operationParts, operationTitle } from './operation-parts.ts';

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
      <Status of={of.state} />
    </div>
    <ProportionBar label="Hosts of the operation" parts={operationParts(of)} total={of.counts.total} />
    <p className={styles.soft}>{operationCounts(of)}</p>
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
        <p className={styles.soft}>{healthWords(cluster)}</p>
      </div>
      {running && <Running of={running} />}
      <div className={styles.foot}>
        <span className={styles.soft}>
          {network}
          {container_manager !== '' && ` · ${container_manager}`}
        </span>
        {may('putRestart') && running === undefined && (
          <Button
            size="small"
            kind="quiet"
            aria-label={`Start an operation on ${name}`}
            onClick={() => setIsStarting(true)}
          >
            Start …
          </Button>
        )}
      </div>
      <StartOperation cluster={name} isOpen={isStarting} onClose={() => setIsStarting(false)} />
    </li>
  );
}
