import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { HostRow } from '../../fleet/fleet.ts';
import { labelTexts } from '../../fleet/labels.ts';
import { selectColumn } from '../../fleet/select-column.tsx';
import type { Choosing } from '../../fleet/use-selection.ts';
import { Badge, Status } from '../../ui/status.tsx';
import { Table } from '../../ui/tables/table.tsx';
import type { VirtualColumn } from '../../ui/tables/virtual-table.tsx';
import { VirtualTable } from '../../ui/tables/virtual-table.tsx';
import { reasonBeside } from '../../ui/words/status-words.ts';
import styles from './host-table.module.css';

interface HostTableProps {
  readonly label: string;
  readonly hosts: readonly HostRow[];
  /** Left out: none can be selected. */
  readonly choosing?: Choosing | undefined;
}

/** So many rows a browser draws at once without anybody waiting. */
const FEW = 60;

const COLUMNS: readonly VirtualColumn<HostRow>[] = [
  {
    title: 'Address',
    width: 'minmax(8rem, 1fr)',
    cell: ({ address }) => (
      <Link to="/hosts/$address" params={{ address }} className="mono">
        {address}
      </Link>
    ),
  },
  {
    title: 'Status',
    width: 'minmax(9rem, 2fr)',
    cell: ({ status, isInMaintenance, reason }) => (
      <span title={reason}>
        <Status of={status} /> {isInMaintenance && <Badge tone="idle">In maintenance</Badge>}{' '}
        <span className={styles.reason}>{reasonBeside(status, reason)}</span>
      </span>
    ),
  },
  { title: 'Hostname', width: 'minmax(7rem, 1fr)', cell: ({ hostname }) => hostname },
  { title: 'OS', width: '7rem', cell: ({ os }) => os },
  { title: 'Labels', width: 'minmax(7rem, 1fr)', cell: ({ labels }) => labelTexts(labels).join(', ') },
];

const keyOf = ({ address }: HostRow) => address;

/** Hosts, of which some can be selected. */
export function HostTable({ label, hosts, choosing }: HostTableProps) {
  const columns = useMemo(() => (choosing ? [selectColumn(choosing), ...COLUMNS] : COLUMNS), [choosing]);
  const shared = { label, columns, rows: hosts, keyOf };
  return hosts.length <= FEW ? <Table {...shared} /> : <VirtualTable {...shared} />;
}
