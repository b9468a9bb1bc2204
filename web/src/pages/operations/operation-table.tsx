import { describeWait } from '#sdk/operation-text.ts';
import {
  HostProgressBar,
  OperationBadge,
  OperationDuration,
  OperationLink,
} from '../../operations/operation-badge.tsx';
import type { Operation } from '../../operations/operation-summary.ts';
import { formatResult } from '../../operations/operation-summary.ts';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import styles from './operation-table.module.css';

const COLUMNS: readonly Column<Operation>[] = [
  {
    title: 'Operation',
    width: '24%',
    isName: true,
    cell: operation => <OperationLink operation={operation} className={styles.name} />,
  },
  {
    title: 'State',
    width: '27%',
    cell: operation => (
      <div className={styles.state}>
        <OperationBadge {...operation} />
        {describeWait(operation) !== '' && <p title={describeWait(operation)}>{describeWait(operation)}</p>}
      </div>
    ),
  },
  {
    title: 'Hosts',
    width: '21%',
    cell: ({ counts, finished_at }) => (
      <div className={styles.progress}>
        <HostProgressBar counts={counts} hasEnded={finished_at !== null} />
        <span>{formatResult(counts)}</span>
      </div>
    ),
  },
  {
    title: 'Started',
    width: '16%',
    cell: ({ started_at, started_by }) => (
      <div className={styles.started}>
        <Timestamp at={started_at} format="relative" />
        {started_by !== '' && <span>by {started_by}</span>}
      </div>
    ),
  },
  { title: 'Duration', width: '12%', align: 'end', cell: operation => <OperationDuration {...operation} /> },
];

interface OperationTableProps {
  readonly label: string;
  readonly operations: readonly Operation[];
}

export const OperationTable = ({ label, operations }: OperationTableProps) => (
  <Table label={label} columns={COLUMNS} rows={operations} rowKey={({ id }) => id} />
);
