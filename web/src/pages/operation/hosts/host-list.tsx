import { Link } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import type { HostProgress } from '#client/host-progress.ts';
import type { HostsInOrder } from '#client/hosts-in-order.ts';
import { duration } from '#client/times.ts';
import { TextField } from '../../../ui/forms/field.tsx';
import { Empty } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import type { VirtualColumn } from '../../../ui/tables/virtual-table.tsx';
import { VirtualTable } from '../../../ui/tables/virtual-table.tsx';
import { useNowMs } from '../../../ui/when.tsx';
import { foundHosts } from './found-hosts.ts';
import styles from './host-list.module.css';
import type { Paint } from './host-paint.ts';

interface HostListProps {
  readonly id: string;
  readonly hosts: HostsInOrder;
  readonly show: Paint | undefined;
  readonly aheadMs: number;
}

function Since({ host, aheadMs }: { readonly host: HostProgress; readonly aheadMs: number }) {
  const nowMs = useNowMs() + aheadMs;
  return host.sinceMs === undefined ? '–' : duration(nowMs - host.sinceMs);
}

const columnsOf = (id: string, aheadMs: number): readonly VirtualColumn<HostProgress>[] => [
  { title: '#', width: '3.5rem', align: 'end', cell: ({ position }) => position + 1 },
  {
    title: 'Host',
    width: 'minmax(9rem, 1fr)',
    cell: ({ address }) => (
      <Link
        to="/operations/$id"
        params={{ id }}
        search={before => ({ ...before, host: address })}
        replace
        className="mono"
      >
        {address}
      </Link>
    ),
  },
  { title: 'State', width: '9rem', cell: ({ state }) => <Status of={state} /> },
  { title: 'Since', width: '5.5rem', align: 'end', cell: host => <Since host={host} aheadMs={aheadMs} /> },
  { title: 'Attempt', width: '4.5rem', align: 'end', cell: ({ attempt }) => attempt },
  {
    title: 'Error',
    width: 'minmax(12rem, 3fr)',
    cell: ({ problem, isAlreadyThere }) => (
      <span title={problem}>{problem === '' && isAlreadyThere ? 'No changes were needed' : problem}</span>
    ),
  },
];

/** The hosts of an operation as a table, for whoever looks for one. */
export function HostList({ id, hosts, show, aheadMs }: HostListProps) {
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text);
  const rows = useMemo(() => foundHosts(hosts.list, { show, text: wanted }), [hosts, show, wanted]);
  const columns = useMemo(() => columnsOf(id, aheadMs), [id, aheadMs]);
  return (
    <div className={styles.list}>
      <TextField
        label="Search hosts"
        placeholder="Address or error"
        value={text}
        onChange={event => setText(event.target.value)}
      />
      {rows.length === 0 ? (
        <Empty title="No hosts match" />
      ) : (
        <VirtualTable
          label="Hosts of this operation"
          columns={columns}
          rows={rows}
          keyOf={({ address }) => address}
        />
      )}
    </div>
  );
}
