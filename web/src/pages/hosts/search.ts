import type { HostStatus } from '#vocabulary';
import { HOST_STATUSES } from '#vocabulary';
import { searchText, searchWord } from '../../app/search-text.ts';

/** What the address bar says about which hosts are shown. */
export interface HostsSearch {
  readonly q?: string;
  readonly status?: HostStatus;
  readonly cluster?: string;
  readonly os?: string;
  /** `key` or `key=value`. */
  readonly label?: string;
}

export const readHostsSearch = (search: Record<string, unknown>): HostsSearch => {
  const [q, cluster, os, label] = ['q', 'cluster', 'os', 'label'].map(name => searchText(search, name));
  const status = searchWord(search, 'status', HOST_STATUSES);
  return {
    ...(q !== undefined && { q }),
    ...(status !== undefined && { status }),
    ...(cluster !== undefined && { cluster }),
    ...(os !== undefined && { os }),
    ...(label !== undefined && { label }),
  };
};
