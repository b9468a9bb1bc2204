import { describeWait } from '#sdk/operation-text.ts';
import { Timestamp } from '../ui/timestamp.tsx';
import { HostProgressBar, OperationBadge, OperationLink } from './operation-badge.tsx';
import styles from './operation-list.module.css';
import type { Operation } from './operation-summary.ts';
import { formatResult } from './operation-summary.ts';

function OperationItem({ operation }: { readonly operation: Operation }) {
  const { state, counts, started_at, finished_at, started_by } = operation;
  const wait = describeWait(operation);
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <OperationLink operation={operation} className={styles.title} />
        <OperationBadge state={state} counts={counts} />
        <span className={styles.counts}>{formatResult(counts)}</span>
        <span className={styles.time}>
          {finished_at === null ? 'started' : 'ended'} <Timestamp at={finished_at ?? started_at} format="relative" />
          {started_by !== '' && `, by ${started_by}`}
        </span>
      </div>
      <HostProgressBar counts={counts} hasEnded={finished_at !== null} />
      {wait !== '' && <p className={styles.reason}>{wait}</p>}
    </li>
  );
}

export const OperationList = ({ operations }: { readonly operations: readonly Operation[] }) => (
  <ul className={styles.list}>
    {operations.map(operation => (
      <OperationItem key={operation.id} operation={operation} />
    ))}
  </ul>
);
