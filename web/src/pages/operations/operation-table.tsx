import { Link } from '@tanstack/react-router';
import { explainWait } from '#client/operation-words.ts';
import { CountsBar } from '../../ui/counts-bar.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/table.tsx';
import { Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
import { Elapsed } from '../operation/elapsed.tsx';
import styles from './operation-table.module.css';
import type { Operation } from './use-operations.ts';

function Progress({ counts }: Pick<Operation, 'counts'>) {
  const { done, total, failed, skipped } = counts;
  return (
    <div className={styles.progress}>
      <CountsBar counts={counts} size="small" />
      <span>
        {done.toLocaleString()} of {total.toLocaleString()}
        {failed > 0 && <span className={styles.failed}>, {failed.toLocaleString()} failed</span>}
        {skipped > 0 && `, ${skipped.toLocaleString()} skipped`}
      </span>
    </div>
  );
}

const COLUMNS: readonly Column<Operation>[] = [
  {
    title: 'Operation',
    isName: true,
    cell: ({ id, kind, cluster, version }) => (
      <div className={styles.name}>
        <Link to="/operations/$id" params={{ id }}>
          {kind} of {cluster}
        </Link>
        {version !== undefined && <code title={version}>{version}</code>}
      </div>
    ),
  },
  {
    title: 'State',
    cell: operation => (
      <div className={styles.state}>
        <Status of={operation.state} />
        {explainWait(operation) !== '' && <p title={explainWait(operation)}>{explainWait(operation)}</p>}
      </div>
    ),
  },
  { title: 'Hosts done', cell: ({ counts }) => <Progress counts={counts} /> },
  {
    title: 'Started',
    cell: ({ started_at, started_by }) => (
      <div className={styles.started}>
        <When at={started_at} as="ago" />
        {started_by !== '' && <span>by {started_by}</span>}
      </div>
    ),
  },
  {
    title: 'Took',
    align: 'end',
    cell: ({ started_at, finished_at }) => (
      <Elapsed startedAt={started_at} finishedAt={finished_at} aheadMs={0} />
    ),
  },
];

interface OperationTableProps {
  readonly label: string;
  readonly operations: readonly Operation[];
}

export const OperationTable = ({ label, operations }: OperationTableProps) => (
  <Table label={label} columns={COLUMNS} rows={operations} keyOf={({ id }) => id} />
);
