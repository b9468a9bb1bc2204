import { useMemo } from 'react';
import type { SelectionControls } from '../../hosts/host-selection.tsx';
import { selectColumn } from '../../hosts/host-selection.tsx';
import type { HostRow } from '../../hosts/host-table.ts';
import { formatLabels } from '../../hosts/labels.ts';
import { stripStatusPrefix } from '../../ui/format/text.ts';
import { HostLink } from '../../ui/links.tsx';
import { Badge, StatusBadge } from '../../ui/status-badge.tsx';
import { Table } from '../../ui/tables/table.tsx';
import type { VirtualColumn } from '../../ui/tables/virtual-table.tsx';
import { VirtualTable } from '../../ui/tables/virtual-table.tsx';
import styles from './host-table.module.css';

interface MemberTableProps {
  readonly label: string;
  readonly hosts: readonly HostRow[];
  readonly selection?: SelectionControls | undefined;
}

const MAX_PLAIN_ROWS = 60;

const COLUMNS: readonly VirtualColumn<HostRow>[] = [
  { title: 'Address', width: 'minmax(8rem, 1fr)', cell: ({ address }) => <HostLink address={address} /> },
  {
    title: 'Status',
    width: 'minmax(9rem, 2fr)',
    cell: ({ status, isInMaintenance, reason }) => (
      <span title={reason}>
        <StatusBadge status={status} /> {isInMaintenance && <Badge severity="idle">In maintenance</Badge>}{' '}
        <span className={styles.reason}>{stripStatusPrefix(status, reason)}</span>
      </span>
    ),
  },
  { title: 'Hostname', width: 'minmax(7rem, 1fr)', cell: ({ hostname }) => hostname },
  { title: 'OS', width: '7rem', cell: ({ os }) => os },
  { title: 'Labels', width: 'minmax(7rem, 1fr)', cell: ({ labels }) => formatLabels(labels).join(', ') },
];

const rowKey = ({ address }: HostRow) => address;

export function MemberTable({ label, hosts, selection }: MemberTableProps) {
  const columns = useMemo(() => (selection ? [selectColumn(selection), ...COLUMNS] : COLUMNS), [selection]);
  const shared = { label, columns, rows: hosts, rowKey };
  return hosts.length <= MAX_PLAIN_ROWS ? <Table {...shared} /> : <VirtualTable {...shared} />;
}
