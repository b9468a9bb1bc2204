import { useDeferredValue, useMemo, useState } from 'react';
import { formatDuration } from '#sdk/format.ts';
import type { HostProgress, OrderedHosts } from '#sdk/host-progress.ts';
import { isEnded } from '#sdk/host-progress.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { EmptyState } from '../../../ui/page.tsx';
import type { VirtualColumn } from '../../../ui/tables/virtual-table.tsx';
import { VirtualTable } from '../../../ui/tables/virtual-table.tsx';
import { useNowMs } from '../../../ui/timestamp.tsx';
import styles from './host-list.module.css';
import { HostStateBadge, OpenHostLink } from './legend.tsx';
import type { DisplayGroup } from './phase-groups.ts';
import { filterHosts } from './phase-groups.ts';

interface HostListProps {
  readonly id: string;
  readonly hosts: OrderedHosts;
  readonly hasEnded: boolean;
  readonly group: DisplayGroup | undefined;
  readonly clockOffsetMs: number;
}

/** The time in the current state, or for a host that has ended, the time for which it used a slot. */
function StateDuration({ host, clockOffsetMs }: { readonly host: HostProgress; readonly clockOffsetMs: number }) {
  const nowMs = useNowMs() + clockOffsetMs;
  const { state, sinceMs, inFlightSinceMs } = host;
  if (sinceMs === undefined) return '–';
  if (!isEnded(state)) return formatDuration(nowMs - sinceMs);
  return inFlightSinceMs === undefined ? '–' : formatDuration(sinceMs - inFlightSinceMs);
}

const createColumns = (
  id: string,
  hasEnded: boolean,
  clockOffsetMs: number,
): readonly VirtualColumn<HostProgress>[] => [
  { title: '#', width: '3.5rem', align: 'end', cell: ({ position }) => position + 1 },
  {
    title: 'Hostname',
    width: 'minmax(9rem, 1fr)',
    cell: host => <OpenHostLink id={id} host={host} />,
  },
  { title: 'Address', width: 'minmax(8rem, 0.8fr)', cell: ({ address }) => <span className="mono">{address}</span> },
  { title: 'State', width: '9rem', cell: host => <HostStateBadge host={host} hasEnded={hasEnded} /> },
  {
    title: 'Duration',
    width: '5.5rem',
    align: 'end',
    cell: host => <StateDuration host={host} clockOffsetMs={clockOffsetMs} />,
  },
  { title: 'Attempt', width: '4.5rem', align: 'end', cell: ({ attempt }) => attempt },
  {
    title: 'Error',
    width: 'minmax(12rem, 3fr)',
    cell: ({ problem, isUnchanged }) => (
      <span title={problem}>{problem === '' && isUnchanged ? 'No changes were needed' : problem}</span>
    ),
  },
];

export function HostList({ id, hosts, hasEnded, group, clockOffsetMs }: HostListProps) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text);
  const rows = useMemo(() => filterHosts(hosts.list, { group, text: query }), [hosts, group, query]);
  const columns = useMemo(() => createColumns(id, hasEnded, clockOffsetMs), [id, hasEnded, clockOffsetMs]);
  return (
    <div className={styles.list}>
      <TextField
        label="Search hosts"
        placeholder="Hostname, address or error"
        value={text}
        onChange={event => setText(event.target.value)}
      />
      {rows.length === 0 ? (
        <EmptyState title="No hosts match" />
      ) : (
        <VirtualTable label="Hosts of this operation" columns={columns} rows={rows} rowKey={({ address }) => address} />
      )}
    </div>
  );
}
