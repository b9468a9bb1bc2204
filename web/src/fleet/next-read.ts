import type { Fleet } from './fleet.ts';

const AT_ONCE = 4;
/** Where more wait for it, all are read anew, which is quicker. */
const MOST_SINGLE = 200;

/** What is to be read next: the facts of these hosts, or all. One that has come without a row is not known but by reading all. */
export function nextRead({ unread, places }: Pick<Fleet, 'unread' | 'places'>): readonly string[] | 'all' {
  const isAll = unread.size > MOST_SINGLE || [...unread].some(address => !places.has(address));
  return isAll ? 'all' : [...unread].slice(0, AT_ONCE);
}
