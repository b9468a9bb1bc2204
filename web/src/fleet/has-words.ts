import type { HostRow } from './fleet.ts';

/** Whether each word of a search is somewhere in what a host is known by. */
export function hasWords(search: string): (row: Pick<HostRow, 'text'>) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ text }) => words.every(word => text.includes(word));
}
