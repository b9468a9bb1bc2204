import { Link } from '@tanstack/react-router';
import { explainWait } from '#client/operation-words.ts';
import { When } from '../ui/when.tsx';
import { HostBar } from './host-bar.tsx';
import { countsWords } from './host-counts.ts';
import type { Operation } from './operation.ts';
import { operationTitle } from './operation.ts';
import styles from './operation-line.module.css';
import { OperationState } from './operation-state.tsx';

/** An operation in a list: what it is, how far it is, and what it waits for. */
function OperationLine({ of }: { readonly of: Operation }) {
  const { id, state, counts, started_at, finished_at, started_by } = of;
  const wait = explainWait(of);
  return (
    <li className={styles.line}>
      <div className={styles.head}>
        <Link to="/operations/$id" params={{ id }} className={styles.title}>
          {operationTitle(of)}
        </Link>
        <OperationState state={state} counts={counts} />
        <span className={styles.counts}>{countsWords(counts)}</span>
        <span className={styles.when}>
          {finished_at === null ? 'started' : 'ended'} <When at={finished_at ?? started_at} as="ago" />
          {started_by !== '' && `, by ${started_by}`}
        </span>
      </div>
      <HostBar counts={counts} />
      {wait !== '' && <p className={styles.problem}>{wait}</p>}
    </li>
  );
}

/** Operations below each other. */
export const OperationLines = ({ of }: { readonly of: readonly Operation[] }) => (
  <ul className={styles.lines}>
    {of.map(operation => (
      <OperationLine key={operation.id} of={operation} />
    ))}
  </ul>
);
