import { HOST_STATUSES } from '#vocabulary';
import { SORT_ORDERS } from '../../hosts/sort-hosts.ts';
import { enumParam, searchParser, stringParam } from '../../ui/format/search-param.ts';

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
