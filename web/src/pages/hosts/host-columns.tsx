import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { formatSize } from '#sdk/format.ts';
import type { SelectionControls } from '../../hosts/host-selection.tsx';
import { selectColumn } from '../../hosts/host-selection.tsx';
import type { HostRow } from '../../hosts/host-table.ts';
import { formatLabels } from '../../hosts/labels.ts';
import { stripStatusPrefix } from '../../ui/format/text.ts';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import type { VirtualColumn } from '../../ui/tables/virtual-table.tsx';
import { RowLink } from '../../ui/tables/virtual-table.tsx';
import styles from './host-columns.module.css';
import type { SortColumn, SortOrder } from './search.ts';
import { SORT_COLUMNS } from './search.ts';

type HostColumn = VirtualColumn<HostRow>;

const hostPath = (address: string): string => `/hosts/${encodeURIComponent(address)}`;

const dash = <span className={styles.faint}>–</span>;

/** The most important columns first: a narrow screen shows only these. */
const HOST_COLUMNS: Readonly<Record<string, HostColumn>> = {
  address: {
    title: 'Address',
    width: 'minmax(7.5rem, 0.9fr)',
    cell: row => <RowLink href={hostPath(row.address)}>{row.address}</RowLink>,
  },
  status: {
    title: 'Status',
    width: 'minmax(9rem, 2.3fr)',
    cell: row => (
      <span className={styles.status}>
        <StatusBadge status={row.status} />
        {row.reason !== '' && (
          <span className={styles.reason} title={row.reason}>
            {stripStatusPrefix(row.status, row.reason)}
          </span>
        )}
      </span>
    ),
  },
  hostname: {
    title: 'Hostname',
    width: 'minmax(7.5rem, 1.4fr)',
    cell: row => (row.hostname === '' ? dash : <span title={row.hostname}>{row.hostname}</span>),
  },
  cluster: {
    title: 'Cluster',
    width: 'minmax(5rem, 0.8fr)',
    cell: row => (row.cluster === '' ? dash : <RowLink href={`/clusters/${row.cluster}`}>{row.cluster}</RowLink>),
  },
  os: { title: 'OS', width: 'minmax(4.5rem, 0.6fr)', cell: row => (row.os === '' ? dash : row.os) },
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
    width: 'minmax(5.5rem, 1.2fr)',
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
  maintenance: {
    title: 'Maintenance',
    width: '6rem',
    cell: row => row.isInMaintenance && <Badge severity="warn">On</Badge>,
  },
};

interface SortHeaderProps {
  readonly column: SortColumn;
  readonly title: string;
  readonly order: SortOrder;
}

const getSortDirection = (column: SortColumn, order: SortOrder) =>
  order === column ? 'ascending' : order === `-${column}` ? 'descending' : undefined;

const ARROWS = { ascending: '↑', descending: '↓' } as const;

function SortHeader({ column, title, order }: SortHeaderProps) {
  const navigate = useNavigate({ from: '/hosts' });
  const sorted = getSortDirection(column, order);
  const nextOrder: SortOrder = sorted === 'ascending' ? `-${column}` : column;
  return (
    <button
      type="button"
      className={`${styles.sort} ${sorted ? styles.sorted : ''}`}
      onClick={() =>
        navigate({
          search: previous => ({ ...previous, sort: nextOrder }),
          replace: true,
          resetScroll: false,
        })
      }
    >
      {title}
      {sorted && <span aria-hidden="true">{ARROWS[sorted]}</span>}
    </button>
  );
}

/** Returns the same columns until an argument changes. `selection` is undefined if the account cannot change hosts. */
export function useHostColumns(sort: SortOrder, selection: SelectionControls | undefined): readonly HostColumn[] {
  const sortable = useMemo(
    () =>
      Object.entries(HOST_COLUMNS).map(([name, column]): HostColumn => {
        const sortColumn = SORT_COLUMNS.find(candidate => candidate === name);
        if (sortColumn === undefined) return column;
        const header = <SortHeader column={sortColumn} title={column.title} order={sort} />;
        return { ...column, header, sorted: getSortDirection(sortColumn, sort) };
      }),
    [sort],
  );
  return useMemo(() => (selection ? [selectColumn(selection), ...sortable] : sortable), [selection, sortable]);
}
