// In which order hosts are shown. What must hold: those that are alike stay in the order of their addresses, and what is not known comes
// last, whichever way round.

import type { HostStatus } from '#vocabulary';
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

const KEYS: Readonly<Record<Exclude<Sort, 'address'>, (row: HostRow) => string>> = {
  hostname: ({ hostname }) => hostname,
  status: ({ status }) => URGENCY[status],
  cluster: ({ cluster }) => cluster,
  os: ({ os }) => os,
};

/** Places among the rows, in order. */
function placesBy(rows: readonly HostRow[], keyOf: (row: HostRow) => string, isDown: boolean) {
  const groups = new Map<string, number[]>();
  for (const [place, row] of rows.entries()) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [place]);
    else group.push(place);
  }
  const unknown = groups.get('') ?? [];
  groups.delete('');
  const keys = [...groups.keys()].sort();
  if (isDown) keys.reverse();
  return [...keys.flatMap(key => groups.get(key) ?? []), ...unknown];
}

/** An order, and what it was made from. */
interface Kept {
  readonly sort: SortWord;
  readonly keys: readonly string[];
  readonly places: readonly number[];
}

const isTrueFor = (kept: Kept, sort: SortWord, keys: readonly string[]): boolean =>
  kept.sort === sort &&
  kept.keys.length === keys.length &&
  keys.every((key, place) => key === kept.keys[place]);

/** Puts hosts into an order. */
export type Sorter = (fleet: Fleet, sort: SortWord) => readonly HostRow[];

/**
 * Most of what happens to hosts changes nothing about their order, and sorting is what takes long: the order is kept for as long as the
 * same hosts have the same keys.
 */
export function newSorter(): Sorter {
  let kept: Kept | undefined;
  return ({ rows }, sort) => {
    const isDown = sort.startsWith('-');
    const by = SORTS.find(word => sort === word || sort === `-${word}`) ?? 'address';
    if (by === 'address') return isDown ? rows.toReversed() : rows;
    const keyOf = KEYS[by];
    const keys = rows.map(keyOf);
    if (kept === undefined || !isTrueFor(kept, sort, keys))
      kept = { sort, keys, places: placesBy(rows, keyOf, isDown) };
    return kept.places.flatMap(place => rows[place] ?? []);
  };
}
