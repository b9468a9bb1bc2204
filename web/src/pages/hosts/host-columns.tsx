import { sizeText } from '#client/size-text.ts';
import type { HostRow } from '../../fleet/fleet.ts';
import { labelTexts } from '../../fleet/labels.ts';
import { Badge, Status } from '../../ui/status.tsx';
import { RowLink } from '../../ui/tables/row-link.tsx';
import type { VirtualColumn } from '../../ui/tables/virtual-table.tsx';
import { reasonBeside } from '../../ui/words/status-words.ts';
import styles from './host-columns.module.css';

export type HostColumn = VirtualColumn<HostRow>;

export const pathOfHost = (address: string): string => `/hosts/${encodeURIComponent(address)}`;

const unknown = <span className={styles.faint}>–</span>;

const address: HostColumn = {
  title: 'Address',
  width: 'minmax(7.5rem, 0.9fr)',
  cell: row => <RowLink href={pathOfHost(row.address)}>{row.address}</RowLink>,
};

const status: HostColumn = {
  title: 'Status',
  width: 'minmax(9rem, 2.3fr)',
  cell: row => (
    <span className={styles.status}>
      <Status of={row.status} />
      {row.reason !== '' && (
        <span className={styles.reason} title={row.reason}>
          {reasonBeside(row.status, row.reason)}
        </span>
      )}
    </span>
  ),
};

const hostname: HostColumn = {
  title: 'Hostname',
  width: 'minmax(7.5rem, 1.4fr)',
  cell: row => (row.hostname === '' ? unknown : <span title={row.hostname}>{row.hostname}</span>),
};

const cluster: HostColumn = {
  title: 'Cluster',
  width: 'minmax(5rem, 0.8fr)',
  cell: row =>
    row.cluster === '' ? unknown : <RowLink href={`/clusters/${row.cluster}`}>{row.cluster}</RowLink>,
};

const os: HostColumn = {
  title: 'OS',
  width: 'minmax(4.5rem, 0.6fr)',
  cell: row => (row.os === '' ? unknown : row.os),
};

const cpus: HostColumn = {
  title: 'CPUs',
  width: '2.5rem',
  align: 'end',
  cell: row => (row.cpus === 0 ? unknown : row.cpus),
};

const memory: HostColumn = {
  title: 'Memory',
  width: '4.5rem',
  align: 'end',
  cell: row => sizeText(row.memory) || unknown,
};

const labels: HostColumn = {
  title: 'Labels',
  width: 'minmax(5.5rem, 1.2fr)',
  cell: row => (
    <span title={labelTexts(row.labels).join('\n')}>
      {labelTexts(row.labels).map(text => (
        <span key={text} className={styles.label}>
          {text}
        </span>
      ))}
    </span>
  ),
};

const maintenance: HostColumn = {
  title: 'Maintenance',
  width: '6rem',
  cell: row => row.isInMaintenance && <Badge tone="warn">On</Badge>,
};

/** What the list says of each host; what matters most is first, since a phone shows no more. */
export const HOST_COLUMNS = {
  ...{ address, status, hostname, cluster, os, cpus, memory, labels, maintenance },
} as const;
