// In which order hosts are shown. What must hold: those that are alike stay in the order of their addresses, and what is not known comes
// last, whichever way round.

import type { HostStatus } from '#vocabulary';
import type { Fleet, HostRow } from '../../fleet/fleet.ts';
import { whileAlike } from '../../fleet/while-alike.ts';
import type { Sort, SortWord } from './search.ts';
import { SORTS } from './search.ts';

/** What somebody has to look at comes first. */
const URGENCY: Readonly<Record<HostStatus, string>> = {
  failed: '1',
  unreachable: '2',
  investigating: '3',
  bootstrapping: '4',
  disassociated: '5',
  active: '6',
};

type KeyOf = (row: HostRow) => string;

const KEYS: Readonly<Record<Exclude<Sort, 'address'>, KeyOf>> = {
  hostname: ({ hostname }) => hostname,
  status: ({ status }) => URGENCY[status],
  cluster: ({ cluster }) => cluster,
  os: ({ os }) => os,
};

/** Places among the rows, in order. */
function placesBy(rows: readonly HostRow[], keyOf: KeyOf, isDown: boolean): readonly number[] {
  const keys = rows.map(keyOf);
  return [...keys.keys()].sort((one, other) => {
    const [a = '', b = ''] = [keys[one], keys[other]];
    if (a === b) return 0;
    if (a === '' || b === '') return a === '' ? 1 : -1;
    return a < b === isDown ? 1 : -1;
  });
}

/** Puts hosts into an order. */
export type Sorter = (fleet: Fleet, sort: SortWord) => readonly HostRow[];

/**
 * Most of what happens to hosts changes nothing about their order, and sorting is what takes long: each order is kept for as long as the
 * same hosts have the same keys.
 */
export function newSorter(): Sorter {
  const orders = new Map<SortWord, (rows: readonly HostRow[]) => readonly number[]>();
  return ({ rows }, sort) => {
    const isDown = sort.startsWith('-');
    const by = SORTS.find(word => sort === word || sort === `-${word}`) ?? 'address';
    if (by === 'address') return isDown ? rows.toReversed() : rows;
    const keyOf = KEYS[by];
    const hasSameKey = (row: HostRow, other: HostRow) => keyOf(row) === keyOf(other);
    const order = orders.get(sort) ?? whileAlike(hasSameKey, of => placesBy(of, keyOf, isDown));
    orders.set(sort, order);
    const inOrder: HostRow[] = [];
    for (const place of order(rows)) {
      const row = rows[place];
      if (row !== undefined) inOrder.push(row);
    }
    return inOrder;
  };
}
