import { Link } from '@tanstack/react-router';
import { explainWait } from '#client/operation-words.ts';
import { Elapsed } from '../../operations/elapsed.tsx';
import { HostBar } from '../../operations/host-bar.tsx';
import { countsWords } from '../../operations/host-counts.ts';
import type { Operation } from '../../operations/operation.ts';
import { operationTitle } from '../../operations/operation.ts';
import { OperationState } from '../../operations/operation-state.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { When } from '../../ui/when.tsx';
import styles from './operation-table.module.css';

const COLUMNS: readonly Column<Operation>[] = [
  {
    title: 'Operation',
    isName: true,
    cell: operation => (
      <Link to="/operations/$id" params={{ id: operation.id }} className={styles.name}>
        {operationTitle(operation)}
      </Link>
    ),
  },
  {
    title: 'State',
    cell: operation => (
      <div className={styles.state}>
        <OperationState {...operation} />
        {explainWait(operation) !== '' && <p title={explainWait(operation)}>{explainWait(operation)}</p>}
      </div>
    ),
  },
  {
    title: 'Hosts',
    cell: ({ counts }) => (
      <div className={styles.progress}>
        <HostBar counts={counts} />
        <span>{countsWords(counts)}</span>
      </div>
    ),
  },
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
    title: 'Duration',
    align: 'end',
    cell: ({ started_at, finished_at }) => <Elapsed startedAt={started_at} finishedAt={finished_at} />,
  },
];

interface OperationTableProps {
  readonly label: string;
  readonly operations: readonly Operation[];
}

export const OperationTable = ({ label, operations }: OperationTableProps) => (
  <Table label={label} columns={COLUMNS} rows={operations} keyOf={({ id }) => id} />
);
