// Invariants: hosts with equal keys stay sorted by address, and hosts with an empty key come last in both directions.

import type { HostStatus } from '#vocabulary';
import type { HostRow, HostTable } from './host-table.ts';
import { memoizeByRows } from './host-table.ts';

/** A `-` prefix sorts in descending order. */
export const SORT_COLUMNS = ['hostname', 'status', 'address', 'cluster', 'os'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type SortOrder = SortColumn | `-${SortColumn}`;

export const SORT_ORDERS: readonly SortOrder[] = SORT_COLUMNS.flatMap(column => [column, `-${column}`] as const);
export const DEFAULT_SORT_ORDER: SortOrder = 'address';

/** Statuses that need attention come first. */
const STATUS_RANK: Readonly<Record<HostStatus, string>> = {
  failed: '1',
  unreachable: '2',
  investigating: '3',
  bootstrapping: '4',
  disassociated: '5',
  active: '6',
};

type SortKey = (row: HostRow) => string;

const SORT_KEYS: Readonly<Record<Exclude<SortColumn, 'address'>, SortKey>> = {
  // `web-2` before `web-10`.
  hostname: ({ hostname }) => hostname.toLowerCase().replace(/\d+/g, digits => digits.padStart(10, '0')),
  status: ({ status }) => STATUS_RANK[status],
  cluster: ({ cluster }) => cluster,
  os: ({ os }) => os,
};

/** Returns indexes into `rows`. */
function sortIndexes(rows: readonly HostRow[], sortKey: SortKey, isDescending: boolean): readonly number[] {
  const keys = rows.map(sortKey);
  return [...keys.keys()].sort((first, second) => {
    const [a = '', b = ''] = [keys[first], keys[second]];
    if (a === b) return 0;
    if (a === '' || b === '') return a === '' ? 1 : -1;
    return a < b === isDescending ? 1 : -1;
  });
}

type Sorter = (table: Pick<HostTable, 'rows'>, sort: SortOrder) => readonly HostRow[];

/**
 * Sorting is slow, and most events do not change the order. Each order is cached while all hosts keep their sort keys.
 */
export function createSorter(): Sorter {
  const orders = new Map<SortOrder, (rows: readonly HostRow[]) => readonly number[]>();
  return ({ rows }, sort) => {
    const isDescending = sort.startsWith('-');
    const column = SORT_COLUMNS.find(name => sort === name || sort === `-${name}`) ?? 'address';
    if (column === 'address') return isDescending ? rows.toReversed() : rows;
    const sortKey = SORT_KEYS[column];
    const hasSameKey = (row: HostRow, other: HostRow) => sortKey(row) === sortKey(other);
    const order = orders.get(sort) ?? memoizeByRows(hasSameKey, hosts => sortIndexes(hosts, sortKey, isDescending));
    orders.set(sort, order);
    const sorted: HostRow[] = [];
    for (const index of order(rows)) {
      const row = rows[index];
      if (row !== undefined) sorted.push(row);
    }
    return sorted;
  };
}
