import type { HostStatus } from '#vocabulary';
import { HOST_STATUSES } from '#vocabulary';
import { enumParam, stringParam } from '../../ui/format/search-param.ts';

/** A `-` prefix sorts in descending order. */
export const SORT_COLUMNS = ['address', 'hostname', 'status', 'cluster', 'os'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type SortOrder = SortColumn | `-${SortColumn}`;

const SORT_ORDERS: readonly SortOrder[] = SORT_COLUMNS.flatMap(column => [column, `-${column}`] as const);

/**
 * Value of the URL parameter for hosts in no cluster, because an empty value would be omitted. Cluster names
 * cannot contain dots.
 */
export const NO_CLUSTER = '.none';

/** Filters stored in the URL. */
export interface HostsSearch {
  readonly q?: string;
  readonly status?: HostStatus;
  /** A cluster name or `NO_CLUSTER`. */
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
