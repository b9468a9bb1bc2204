// In which order hosts are shown. What must hold: those that are alike stay in the order of their addresses, and what is not known comes
// last, whichever way round.

import type { HostStatus } from '#vocabulary';
import type { HostRow, HostTable } from '../../hosts/host-table.ts';
import { memoizeByRows } from '../../hosts/host-table.ts';
import type { SortColumn, SortOrder } from './search.ts';
import { SORT_COLUMNS } from './search.ts';

/** What somebody has to look at comes first. */
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
  hostname: ({ hostname }) => hostname,
  status: ({ status }) => STATUS_RANK[status],
  cluster: ({ cluster }) => cluster,
  os: ({ os }) => os,
};

/** Places among the rows, in order. */
function sortIndexes(rows: readonly HostRow[], sortKey: SortKey, isDescending: boolean): readonly number[] {
  const keys = rows.map(sortKey);
  return [...keys.keys()].sort((first, second) => {
    const [a = '', b = ''] = [keys[first], keys[second]];
    if (a === b) return 0;
    if (a === '' || b === '') return a === '' ? 1 : -1;
    return a < b === isDescending ? 1 : -1;
  });
}

/** Puts hosts into an order. */
export type Sorter = (table: HostTable, sort: SortOrder) => readonly HostRow[];

/**
 * Most of what happens to hosts changes nothing about their order, and sorting is what takes long: each order is kept for as long as the
 * same hosts have the same keys.
 */
export function createSorter(): Sorter {
  const orders = new Map<SortOrder, (rows: readonly HostRow[]) => readonly number[]>();
  return ({ rows }, sort) => {
    const isDescending = sort.startsWith('-');
    const column = SORT_COLUMNS.find(name => sort === name || sort === `-${name}`) ?? 'address';
    if (column === 'address') return isDescending ? rows.toReversed() : rows;
    const sortKey = SORT_KEYS[column];
    const hasSameKey = (row: HostRow, other: HostRow) => sortKey(row) === sortKey(other);
    const order =
      orders.get(sort) ?? memoizeByRows(hasSameKey, hosts => sortIndexes(hosts, sortKey, isDescending));
    orders.set(sort, order);
    const sorted: HostRow[] = [];
    for (const index of order(rows)) {
      const row = rows[index];
      if (row !== undefined) sorted.push(row);
    }
    return sorted;
  };
}
