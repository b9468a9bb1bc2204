import type { HostQuery } from '../app/hosts/host-query.ts';
import type { hostRoutes } from '../contract/hosts.ts';
import type { QueryOf } from '../contract/route.ts';
import { parseLabelFilter } from '../domain/labels.ts';

type Filters = Pick<QueryOf<(typeof hostRoutes)['listHosts']>, 'cluster' | 'label' | 'os' | 'status'>;

/** What lists of hosts, and inventories, are asked for. */
export const hostQueryOf = ({ status, os, cluster, label = [] }: Filters): HostQuery => ({
  status,
  os,
  cluster: cluster === '' ? null : cluster,
  labels: [label].flat().map(parseLabelFilter),
});
