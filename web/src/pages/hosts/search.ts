import type { HostStatus } from '#vocabulary';
import { HOST_STATUSES } from '#vocabulary';
import { searchText, searchWord } from '../../ui/words/search-text.ts';

/** By what the list can be sorted; `-` before it: the other way round. */
export const SORTS = ['address', 'hostname', 'status', 'cluster', 'os'] as const;
export type Sort = (typeof SORTS)[number];
export type SortWord = Sort | `-${Sort}`;

const SORT_WORDS: readonly SortWord[] = SORTS.flatMap(word => [word, `-${word}`] as const);

/** Stands for no cluster in the address bar, where an empty text would be left out. No cluster has this name: names have no dots. */
export const IN_NO_CLUSTER = '.none';

/** What the address bar says about which hosts are shown. */
export interface HostsSearch {
  readonly q?: string;
  readonly status?: HostStatus;
  /** A name, or `IN_NO_CLUSTER`. */
  readonly cluster?: string;
  readonly os?: string;
  /** `key` or `key=value`. */
  readonly label?: string;
  readonly sort?: SortWord;
}

export const readHostsSearch = (search: Record<string, unknown>): HostsSearch => {
  const [q, cluster, os, label] = ['q', 'cluster', 'os', 'label'].map(name => searchText(search, name));
  const status = searchWord(search, 'status', HOST_STATUSES);
  const sort = searchWord(search, 'sort', SORT_WORDS);
  return {
    ...(q !== undefined && { q }),
    ...(status !== undefined && { status }),
    ...(cluster !== undefined && { cluster }),
    ...(os !== undefined && { os }),
    ...(label !== undefined && { label }),
    ...(sort !== undefined && { sort }),
  };
};
