import { HOST_STATUSES } from '#vocabulary';
import { enumParam, searchParser, stringParam } from '../../ui/format/search-param.ts';

/** A `-` prefix sorts in descending order. */
export const SORT_COLUMNS = ['address', 'hostname', 'status', 'cluster', 'os'] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];
export type SortOrder = SortColumn | `-${SortColumn}`;

const SORT_ORDERS: readonly SortOrder[] = SORT_COLUMNS.flatMap(column => [column, `-${column}`] as const);

/**
 * Value of the URL parameter for hosts in no cluster, because an empty value would be omitted. Cluster names cannot
 * contain dots.
 */
export const NO_CLUSTER = '.none';

export const parseHostsSearch = searchParser({
  q: stringParam,
  status: enumParam(HOST_STATUSES),
  /** A cluster name or `NO_CLUSTER`. */
  cluster: stringParam,
  os: stringParam,
  /** `key` or `key=value`. */
  label: stringParam,
  sort: enumParam(SORT_ORDERS),
});
export type HostsSearch = ReturnType<typeof parseHostsSearch>;
