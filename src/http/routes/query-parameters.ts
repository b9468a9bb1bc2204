import type { HostListQuery } from '../../app/hosts/read-hosts.ts';
import type { QueryOf } from '../../contract/route-definition.ts';
import type { hostRoutes } from '../../contract/routes/hosts.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { ADDRESS_MESSAGE, parseAddress } from '../../domain/addresses/address.ts';
import type { AppError } from '../../domain/errors.ts';
import { appErrorFromFields } from '../../domain/errors.ts';
import { parseLabelFilter } from '../../domain/hosts/host.ts';

export function parseHostParameter({ host }: { readonly host?: string }): Address | undefined | AppError {
  if (host === undefined) return undefined;
  const error = { path: '/host', message: ADDRESS_MESSAGE };
  return parseAddress(host) ?? appErrorFromFields('invalid_query', [error], 'the query');
}

type HostFilters = Pick<QueryOf<(typeof hostRoutes)['listHosts']>, 'cluster' | 'label' | 'os' | 'status'>;

export const toHostListQuery = ({ status, os, cluster, label = [] }: HostFilters): HostListQuery => ({
  status,
  os,
  cluster: cluster === '' ? null : cluster,
  labels: [label].flat().map(parseLabelFilter),
});
