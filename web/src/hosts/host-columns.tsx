import { useMemo } from 'react';
import { formatSize } from '#sdk/format.ts';
import { displayName } from '#sdk/host-progress.ts';
import { stripStatusPrefix } from '../ui/format/text.ts';
import { Badge, StatusBadge } from '../ui/status-badge.tsx';
import type { VirtualColumn } from '../ui/tables/virtual-table.tsx';
import { RowLink } from '../ui/tables/virtual-table.tsx';
import styles from './host-columns.module.css';
import type { SelectionControls } from './host-selection.tsx';
import { selectColumn } from './host-selection.tsx';
import type { HostRow } from './host-table.ts';
import { formatLabels } from './labels.ts';
import type { SortColumn, SortOrder } from './sort-hosts.ts';
import { SORT_COLUMNS } from './sort-hosts.ts';

type HostColumn = VirtualColumn<HostRow>;

const hostPath = (address: string): string => `/hosts/${encodeURIComponent(address)}`;

const dash = <span className={styles.faint}>–</span>;

/** The most important columns first: a narrow screen shows only these. */
const HOST_COLUMNS = {
  hostname: {
    title: 'Hostname',
    width: 'minmax(8.5rem, 1.2fr)',
    cell: ({ address, hostname }) => (
      <span title={hostname}>
        <RowLink href={hostPath(address)}>{displayName({ address, hostname })}</RowLink>
      </span>
    ),
  },
  status: {
    title: 'Status',
    width: 'minmax(9rem, 3fr)',
    cell: row => (
      <span className={styles.status}>
        <StatusBadge status={row.status} />
        {row.isInMaintenance && <Badge severity="warn">In maintenance</Badge>}
        {row.reason !== '' && (
          <span className={styles.reason} title={row.reason}>
            {stripStatusPrefix(row.status, row.reason)}
          </span>
        )}
      </span>
    ),
  },
  address: {
    title: 'Address',
    width: 'minmax(7.5rem, 0.6fr)',
    cell: ({ address }) => <span className="mono">{address}</span>,
  },
  cluster: {
    title: 'Cluster',
    width: 'minmax(5rem, 0.7fr)',
    cell: row => (row.cluster === '' ? dash : <RowLink href={`/clusters/${row.cluster}`}>{row.cluster}</RowLink>),
  },
  os: { title: 'OS', width: 'minmax(5rem, 0.7fr)', cell: row => (row.os === '' ? dash : row.os) },
  cpus: {
    title: 'CPUs',
    width: '2.5rem',
    align: 'end',
    cell: row => (row.cpus === 0 ? dash : row.cpus),
  },
  memory: {
    title: 'Memory',
    width: '4.5rem',
    align: 'end',
    cell: row => formatSize(row.memory) || dash,
  },
  labels: {
    title: 'Labels',
    width: 'minmax(6rem, 0.8fr)',
    cell: row => (
      <span title={formatLabels(row.labels).join('\n')}>
        {formatLabels(row.labels).map(text => (
          <span key={text} className={styles.label}>
            {text}
          </span>
        ))}
      </span>
    ),
  },
} satisfies Readonly<Record<string, HostColumn>>;

export type HostColumnName = keyof typeof HOST_COLUMNS;

interface SortHeaderProps {
  readonly column: SortColumn;
  readonly title: string;
  readonly order: SortOrder;
  readonly onSort: (order: SortOrder) => void;
}

const getSortDirection = (column: SortColumn, order: SortOrder) =>
  order === column ? 'ascending' : order === `-${column}` ? 'descending' : undefined;

const ARROWS = { ascending: '↑', descending: '↓' } as const;

function SortHeader({ column, title, order, onSort }: SortHeaderProps) {
  const sorted = getSortDirection(column, order);
  return (
    <button
      type="button"
      className={`${styles.sort} ${sorted ? styles.sorted : ''}`}
      onClick={() => onSort(sorted === 'ascending' ? `-${column}` : column)}
    >
      {title}
      {sorted && <span aria-hidden="true">{ARROWS[sorted]}</span>}
    </button>
  );
}

export interface HostColumnOptions {
  readonly sort: SortOrder;
  readonly onSort: (order: SortOrder) => void;
  /** Undefined if the user cannot select hosts. */
  readonly selection: SelectionControls | undefined;
  /** A column that has the same value in all rows. */
  readonly hidden?: HostColumnName | undefined;
}

/** Returns the same columns until an option changes. */
export function useHostColumns({ sort, onSort, selection, hidden }: HostColumnOptions): readonly HostColumn[] {
  const sortable = useMemo(
    () =>
      Object.entries(HOST_COLUMNS)
        .filter(([name]) => name !== hidden)
        .map(([name, column]): HostColumn => {
          const sortColumn = SORT_COLUMNS.find(candidate => candidate === name);
          if (sortColumn === undefined) return column;
          const header = <SortHeader column={sortColumn} title={column.title} order={sort} onSort={onSort} />;
          return { ...column, header, sorted: getSortDirection(sortColumn, sort) };
        }),
    [sort, onSort, hidden],
  );
  return useMemo(() => (selection ? [selectColumn(selection), ...sortable] : sortable), [selection, sortable]);
}
