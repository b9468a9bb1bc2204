import { Link } from '@tanstack/react-router';
import { ProportionBar } from '../../ui/proportion-bar.tsx';
import { Status } from '../../ui/status.tsx';
import { When } from '../../ui/when.tsx';
import styles from './operation-line.module.css';
import type { Operation } from './operation-parts.ts';
import { operationCounts, operationParts, operationTitle } from './operation-parts.ts';

interface OperationLineProps {
  readonly of: Operation;
  /** Left out where everything on the page is about one cluster. */
  readonly hasCluster?: boolean;
}

/** An operation in a list: what it is, how far it is, and what it waits for. */
export function OperationLine({ of, hasCluster = false }: OperationLineProps) {
  const { id, cluster, state, problem, counts, started_at, finished_at, started_by } = of;
  return (
    <li className={styles.line}>
      <div className={styles.head}>
        <span>
          <Link to="/operations/$id" params={{ id }} className={styles.title}>
            {operationTitle(of)}
          </Link>
          {hasCluster && (
            <>
              {' of '}
              <Link to="/clusters/$name" params={{ name: cluster }}>
                {cluster}
              </Link>
            </>
          )}
        </span>
        <Status of={state} />
        <span className={styles.counts}>{operationCounts(of)}</span>
        <span className={styles.when}>
          <When at={finished_at ?? started_at} as="ago" />
          {started_by !== '' && `, by ${started_by}`}
        </span>
      </div>
      <ProportionBar label="Hosts" parts={operationParts(of)} total={counts.total} />
      {problem !== '' && <p className={styles.problem}>{problem}</p>}
    </li>
  );
}

/** Operations below each other. */
export const OperationLines = ({
  of,
  hasCluster = false,
}: {
  readonly of: readonly Operation[];
  readonly hasCluster?: boolean;
}) => (
  <ul className={styles.lines}>
    {of.map(operation => (
      <OperationLine key={operation.id} of={operation} hasCluster={hasCluster} />
    ))}
  </ul>
);
