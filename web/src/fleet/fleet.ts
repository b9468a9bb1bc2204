// Hosts as lists show them: all, or those of one cluster. What must hold: rows are in the order of their addresses' numeric values, and what
// becomes of them by events is what reading them anew would tell, but for `unread`.

import type { Static } from 'typebox';
import type { ListedHost } from '#contract/routes/hosts.ts';
import type { HostStatus } from '#vocabulary';
import { addressSortKey } from './address-sort-key.ts';
import type { Labels } from './labels.ts';
import { labelTexts } from './labels.ts';

/** What only a read of the host tells. */
export interface HostFacts {
  readonly hostname: string;
  readonly os: string;
  readonly cpus: number;
  /** In KiB. */
  readonly memory: number;
}

export interface HostRow extends HostFacts {
  readonly address: string;
  readonly status: HostStatus;
  /** Empty: there is none. */
  readonly reason: string;
  /** Empty: none. */
  readonly cluster: string;
  readonly labels: Labels;
  readonly isInMaintenance: boolean;
  /** What a search looks into, in small letters. */
  readonly text: string;
}

export interface Fleet {
  /** Only hosts in this cluster; empty: only those in none; `undefined`: all hosts. */
  readonly cluster: string | undefined;
  readonly rows: readonly HostRow[];
  /** Where each address is among them. */
  readonly places: ReadonlyMap<string, number>;
  /** Hosts of which something is to be read that no event tells: their facts, or all of one that has come without a row. */
  readonly unread: ReadonlySet<string>;
}

export function rowOf(row: Omit<HostRow, 'text'>): HostRow {
  const { address, hostname, cluster, os, labels } = row;
  return { ...row, text: [address, hostname, cluster, os, ...labelTexts(labels)].join('\n').toLowerCase() };
}

export const rowOfListed = (host: Static<typeof ListedHost>): HostRow => {
  const { address, status, os, cpus, memory, hostname = '', cluster = '', labels = {} } = host;
  const { reason = '', maintenance: isInMaintenance = false } = host;
  return rowOf({ address, status, os, cpus, memory, hostname, cluster, labels, reason, isInMaintenance });
};

const placesOf = (rows: readonly HostRow[]) => new Map(rows.map(({ address }, place) => [address, place]));

/** Of rows in their order. */
export const fleetOf = (rows: readonly HostRow[], cluster?: string): Fleet => ({
  cluster,
  rows,
  places: placesOf(rows),
  unread: new Set(),
});

export function hostOf({ rows, places }: Fleet, address: string): HostRow | undefined {
  const place = places.get(address);
  return place === undefined ? undefined : rows[place];
}

const inOrder = (rows: readonly HostRow[]): readonly HostRow[] =>
  rows
    .map(row => ({ row, key: addressSortKey(row.address) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);

/** Two lists in order as one. */
function merged(some: readonly HostRow[], others: readonly HostRow[]): readonly HostRow[] {
  const all: HostRow[] = [];
  const waiting = others.map(row => ({ row, key: addressSortKey(row.address) }));
  let next = 0;
  for (const row of some) {
    const key = next < waiting.length ? addressSortKey(row.address) : '';
    for (let other = waiting[next]; other !== undefined && other.key < key; other = waiting[next]) {
      all.push(other.row);
      next += 1;
    }
    all.push(row);
  }
  return [...all, ...waiting.slice(next).map(({ row }) => row)];
}

/** The fleet with other rows; `undefined`: that host is gone. Cheap where only known hosts have changed, which happens all the time. */
export function withRows(
  fleet: Fleet,
  changed: ReadonlyMap<string, HostRow | undefined>,
  unread: ReadonlySet<string> = fleet.unread,
): Fleet {
  const isSameHosts = [...changed].every(
    ([address, row]) => (row !== undefined) === fleet.places.has(address),
  );
  if (isSameHosts) {
    const rows = fleet.rows.slice();
    for (const [address, row] of changed) {
      const place = fleet.places.get(address);
      if (row !== undefined && place !== undefined) rows[place] = row;
    }
    return { ...fleet, rows, unread };
  }
  const kept = fleet.rows.flatMap(row => {
    if (!changed.has(row.address)) return [row];
    const other = changed.get(row.address);
    return other === undefined ? [] : [other];
  });
  const added = [...changed.values()].filter(row => row !== undefined && !fleet.places.has(row.address));
  const rows = merged(kept, inOrder(added.filter(row => row !== undefined)));
  return { ...fleet, rows, places: placesOf(rows), unread };
}
