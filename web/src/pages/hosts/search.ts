import type { HostStatus } from '#vocabulary';
import { HOST_STATUSES } from '#vocabulary';
import { enumParam, stringParam } from '../../ui/format/search-param.ts';

/** By what the list can be sorted; `-` before it: the other way round. */
export const SORT_COLUMNS = ['address', 'hostname', 'status', 'cluster', 'os'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type SortOrder = SortColumn | `-${SortColumn}`;

const SORT_ORDERS: readonly SortOrder[] = SORT_COLUMNS.flatMap(column => [column, `-${column}`] as const);

/** Stands for no cluster in the address bar, where an empty text would be left out. No cluster has this name: names have no dots. */
export const NO_CLUSTER = '.none';

/** What the address bar says about which hosts are shown. */
export interface HostsSearch {
  readonly q?: string;
  readonly status?: HostStatus;
  /** A name, or `IN_NO_CLUSTER`. */
  readonly cluster?: string;
  readonly os?: string;
  /** `key` or `key=value`. */
  readonly label?: string;
  readonly sort?: SortOrder;
}

export const parseHostsSearch = (search: Record<string, unknown>): HostsSearch => {
  const [q, cluster, os, label] = ['q', 'cluster', 'os', 'label'].map(name => stringParam(search, name));
  const status = enumParam(search, 'status', HOST_STATUSES);
  const sort = enumParam(search, 'sort', SORT_ORDERS);
  return {
    ...(q !== undefined && { q }),
    ...(status !== undefined && { status }),
    ...(cluster !== undefined && { cluster }),
    ...(os !== undefined && { os }),
    ...(label !== undefined && { label }),
    ...(sort !== undefined && { sort }),
  };
};
