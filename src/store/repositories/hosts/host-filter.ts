import type { SelectQueryBuilder } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import { addressSortKey } from '../../../domain/addresses/address.ts';
import type { LabelFilter } from '../../../domain/hosts/host.ts';
import type { PageRequest } from '../../../domain/page.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { HostStatus } from '../../../domain/vocabulary.ts';
import type { SqlSession } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';
import type { PageParams } from '../queries/page-query.ts';
import { limited, pageParams } from '../queries/page-query.ts';

export interface HostFilter {
  readonly address?: Address | undefined;
  readonly status?: HostStatus | undefined;
  readonly os?: string | undefined;
  /** As the host, or its source, calls it. */
  readonly hostname?: string | undefined;
  /** `null`: hosts that are in none. */
  readonly cluster?: RecordName | null | undefined;
  /** A part of the address. */
  readonly addressPart?: string | undefined;
  /** All of them. */
  readonly labels?: readonly LabelFilter[] | undefined;
}

const likePattern = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`.toLowerCase();

/** `after` is the sort key of the last host of the page before. */
export type KeyedPage = PageParams<string>;

export const keyedPage = ({ limit, after }: PageRequest<Address>): KeyedPage =>
  pageParams({ limit, after: after === undefined ? undefined : addressSortKey(after) });

/** A page of what a filter finds, as a query's parameters: all but the labels, of which there may be any number. */
export type HostParams = KeyedPage &
  Omit<HostFilter, 'addressPart' | 'labels'> & { readonly pattern: string | undefined };

export const hostParams = (
  { addressPart, labels: _, ...filter }: HostFilter,
  page: PageRequest<Address>,
): HostParams => ({
  ...filter,
  pattern: addressPart === undefined ? undefined : likePattern(addressPart),
  ...keyedPage(page),
});

export type HostsQuery<Row> = SelectQueryBuilder<Tables, 'hosts', Row>;

/** The query for the hosts of a page, by numeric value of the address. */
export function ofPage<Row>(
  hosts: HostsQuery<Row>,
  { address, pattern, after, limit, status, os, hostname, cluster }: HostParams,
): HostsQuery<Row> {
  let query = limited(hosts.orderBy('sort_key'), limit);
  if (address !== undefined) query = query.where('address', '=', address);
  if (status !== undefined) query = query.where('status', '=', status);
  if (os !== undefined) query = query.where('os', '=', os);
  if (hostname !== undefined) query = query.where('hostname', '=', hostname);
  if (cluster === null) query = query.where('cluster', 'is', null);
  else if (cluster !== undefined) query = query.where('cluster', '=', cluster);
  if (pattern !== undefined) {
    query = query.where(({ eb, fn, val }) => eb(fn('lower', ['address']), 'like', val(pattern)));
  }
  return after === undefined ? query : query.where('sort_key', '>', after);
}

/** Found by the index `host_labels_by_key_value`. */
const hostsWith = ({ db }: SqlSession, { key, value }: LabelFilter) => {
  const query = db.selectFrom('host_labels').select('host').where('key', '=', key);
  return value === undefined ? query : query.where('value', '=', value);
};

/** The query for those hosts that carry all of the labels. */
export const carrying = <Row>(
  session: SqlSession,
  hosts: HostsQuery<Row>,
  labels: readonly LabelFilter[],
): HostsQuery<Row> =>
  labels.reduce((query, label) => query.where('address', 'in', hostsWith(session, label)), hosts);
