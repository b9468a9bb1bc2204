// In which order hosts are shown. What must hold: those that are alike stay in the order of their addresses, and what is not known comes
// last, whichever way round.

import type { HostStatus } from '#vocabulary';
import { areAlike } from '../../fleet/are-alike.ts';
import type { Fleet, HostRow } from '../../fleet/fleet.ts';
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

/** An order, and what it was made from. */
interface Kept {
  readonly rows: readonly HostRow[];
  readonly places: readonly number[];
}

/** Puts hosts into an order. */
export type Sorter = (fleet: Fleet, sort: SortWord) => readonly HostRow[];

/**
 * Most of what happens to hosts changes nothing about their order, and sorting is what takes long: each order is kept for as long as the
 * same hosts have the same keys.
 */
export function newSorter(): Sorter {
  const kept = new Map<SortWord, Kept>();
  return ({ rows }, sort) => {
    const isDown = sort.startsWith('-');
    const by = SORTS.find(word => sort === word || sort === `-${word}`) ?? 'address';
    if (by === 'address') return isDown ? rows.toReversed() : rows;
    const keyOf = KEYS[by];
    const hasSameKey = (row: HostRow, other: HostRow) => keyOf(row) === keyOf(other);
    const last = kept.get(sort);
    const isTrue = last !== undefined && areAlike(rows, last.rows, hasSameKey);
    const places = isTrue ? last.places : placesBy(rows, keyOf, isDown);
    kept.set(sort, { rows, places });
    const inOrder: HostRow[] = [];
    for (const place of places) {
      const row = rows[place];
      if (row !== undefined) inOrder.push(row);
    }
    return inOrder;
  };
}
