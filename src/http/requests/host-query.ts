import type { HostQuery } from '../../app/hosts/host-query.ts';
import type { QueryOf } from '../../contract/route.ts';
import type { hostRoutes } from '../../contract/routes/hosts.ts';
import { parseLabelFilter } from '../../domain/hosts/host.ts';

type Filters = Pick<QueryOf<(typeof hostRoutes)['listHosts']>, 'cluster' | 'label' | 'os' | 'status'>;

/** What lists of hosts, and inventories, are asked for. */
export const hostQueryOf = ({ status, os, cluster, label = [] }: Filters): HostQuery => ({
  status,
  os,
  cluster: cluster === '' ? null : cluster,
  labels: [label].flat().map(parseLabelFilter),
});
