import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Badge, Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { toggled } from './chosen.ts';
import styles from './cluster.module.css';
import type { Member } from './read-hosts.ts';

interface HostTableProps {
  readonly label: string;
  readonly hosts: readonly Member[];
  /** Left out: none can be chosen. */
  readonly choice?: {
    readonly chosen: ReadonlySet<string>;
    readonly onChoose: (chosen: ReadonlySet<string>) => void;
  };
}

/** So many rows a browser draws at once without anybody waiting. */
const FEW = 60;

const labelsOf = ({ labels = {} }: Member) =>
  Object.entries(labels)
    .map(([key, value]) => (value === '' ? key : `${key}=${value}`))
    .join(', ');

interface HostColumn {
  readonly title: string;
  readonly width: string;
  readonly cell: (host: Member) => ReactNode;
}

const COLUMNS: readonly HostColumn[] = [
  {
    title: 'Address',
    width: 'minmax(8rem, 1fr)',
    cell: ({ address }) => (
      <Link to="/hosts/$address" params={{ address }} className="mono">
        {address}
      </Link>
    ),
  },
  { title: 'Hostname', width: 'minmax(7rem, 1fr)', cell: ({ hostname }) => hostname },
  {
    title: 'Status',
    width: 'minmax(9rem, 2fr)',
    cell: ({ status, maintenance, reason }) => (
      <span title={reason}>
        <Status of={status} /> {maintenance && <Badge tone="idle">in maintenance</Badge>}{' '}
        <span className={styles.reason}>{reason}</span>
      </span>
    ),
  },
  { title: 'System', width: '7rem', cell: ({ os }) => os },
  { title: 'Labels', width: 'minmax(7rem, 1fr)', cell: labelsOf },
];

/** Hosts, of which some can be chosen. */
export function HostTable({ label, hosts, choice }: HostTableProps) {
  const box: HostColumn = {
    title: 'Choose',
    width: '3.5rem',
    cell: ({ address }) =>
      choice && (
        <input
          type="checkbox"
          className={styles.box}
          aria-label={`Choose ${address}`}
          checked={choice.chosen.has(address)}
          onChange={() => choice.onChoose(toggled(choice.chosen, address))}
        />
      ),
  };
  const columns = choice ? [box, ...COLUMNS] : COLUMNS;
  const shared = { label, columns, rows: hosts, keyOf: ({ address }: Member) => address };
  return hosts.length <= FEW ? <Table {...shared} /> : <VirtualTable {...shared} />;
}
