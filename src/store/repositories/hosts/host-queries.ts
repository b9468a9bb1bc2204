import type { Expression, SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import { addressSortKey } from '../../../domain/addresses/address.ts';
import type { ExtendedHostEntry, LabelFilter } from '../../../domain/hosts/host.ts';
import type { PageRequest } from '../../../domain/page.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import type { HostStatus } from '../../../domain/vocabulary.ts';
import type { SqlSession } from '../../sql-session.ts';
import { prepareQuery } from '../../sql-session.ts';
import type { Tables } from '../../tables/tables.ts';
import type { PageParams } from '../query-building.ts';
import { toPageParams, withLimit } from '../query-building.ts';

export interface HostFilter {
  readonly address?: Address | undefined;
  readonly status?: HostStatus | undefined;
  readonly os?: string | undefined;
  /** As reported by the host or its source, in any case. */
  readonly hostname?: string | undefined;
  /** Null: hosts without a cluster. */
  readonly cluster?: RecordName | null | undefined;
  /** Part of the address, of the hostname, or of a label `key=value`, in any case. */
  readonly search?: string | undefined;
  readonly labels?: readonly LabelFilter[] | undefined;
  /** No host after this one. */
  readonly lastAddress?: Address | undefined;
}

const likePattern = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`.toLowerCase();

/** PostgreSQL escapes with a backslash by default, SQLite does not. */
const contains = (text: Expression<unknown>, pattern: string) =>
  sql<boolean>`lower(${text}) like ${pattern} escape '\\'`;

/** `after` is the sort key of the last host of the previous page. */
export type KeysetPage = PageParams<string>;

const toKeysetPage = ({ limit, after }: PageRequest<Address>): KeysetPage =>
  toPageParams({ limit, after: after === undefined ? undefined : addressSortKey(after) });

/** The parameters of a prepared query. Labels are left out, because their number varies. */
type HostParams = KeysetPage &
  Omit<HostFilter, 'search' | 'labels' | 'lastAddress'> & {
    readonly pattern: string | undefined;
    readonly lastKey: string | undefined;
  };

const toHostParams = (
  { search, labels: _, hostname, lastAddress, ...filter }: HostFilter,
  page: PageRequest<Address>,
): HostParams => ({
  ...filter,
  hostname: hostname?.toLowerCase(),
  pattern: search === undefined ? undefined : likePattern(search),
  lastKey: lastAddress === undefined ? undefined : addressSortKey(lastAddress),
  ...toKeysetPage(page),
});

type HostsQuery<Row> = SelectQueryBuilder<Tables, 'hosts' | 'host_access', Row>;

/** Ordered by the numeric value of the address. */
function hostPageQuery<Row>(
  hosts: HostsQuery<Row>,
  { address, pattern, after, lastKey, limit, status, os, hostname, cluster }: HostParams,
): HostsQuery<Row> {
  let query = withLimit(hosts.orderBy('sort_key'), limit);
  if (address !== undefined) query = query.where('address', '=', address);
  if (status !== undefined) query = query.where('status', '=', status);
  if (os !== undefined) query = query.where('os', '=', os);
  if (hostname !== undefined)
    query = query.where(({ eb, fn, val }) => eb(fn<string>('lower', ['hostname']), '=', val(hostname)));
  if (cluster === null) query = query.where('cluster', 'is', null);
  else if (cluster !== undefined) query = query.where('cluster', '=', cluster);
  if (pattern !== undefined)
    query = query.where(({ exists, or, ref, selectFrom }) => {
      const labels = selectFrom('host_labels')
        .select('key')
        .whereRef('host', '=', 'hosts.address')
        .where(contains(sql`key || '=' || value`, pattern));
      return or([contains(ref('address'), pattern), contains(ref('hostname'), pattern), exists(labels)]);
    });
  if (lastKey !== undefined) query = query.where('sort_key', '<=', lastKey);
  return after === undefined ? query : query.where('sort_key', '>', after);
}

const hostsWithLabel = ({ db }: SqlSession, { key, value }: LabelFilter) => {
  const query = db.selectFrom('host_labels').select('host').where('key', '=', key);
  return value === undefined ? query : query.where('value', '=', value);
};

const withLabels = <Row>(
  session: SqlSession,
  hosts: HostsQuery<Row>,
  labels: readonly LabelFilter[],
): HostsQuery<Row> =>
  labels.reduce((query, label) => query.where('address', 'in', hostsWithLabel(session, label)), hosts);

/** Returns one row more than the limit. */
function hostListQuery<Row>(select: (session: SqlSession) => HostsQuery<Row>) {
  const build = (session: SqlSession, params: HostParams) => hostPageQuery(select(session), params);
  const prepared = prepareQuery(build);
  return (session: SqlSession, filter: HostFilter, page: PageRequest<Address>): Promise<readonly Row[]> => {
    const { labels = [] } = filter;
    const params = toHostParams(filter, page);
    // Not prepared, because the number of labels varies.
    return labels.length === 0
      ? prepared(session, params)
      : (withLabels(session, build(session, params), labels).execute() as Promise<Row[]>);
  };
}

export const listEntries = hostListQuery(({ db }) => db.selectFrom('hosts').select('entry_json'));

/**
 * Keys and values contain no character that JSON escapes. The index returns them in order; an `order by` in
 * the aggregate would make SQLite sort them again.
 */
const LABELS_JSON = sql<string>`(
  select '{' || coalesce(string_agg(pair, ','), '') || '}' from (
    select '"' || key || '":"' || value || '"' as pair from host_labels where host = hosts.address order by key
  ) as pairs
)`;

export const listExtendedEntries = hostListQuery(({ db }) =>
  db
    .selectFrom('hosts')
    .select(['entry_json', 'hostname', 'cluster', 'in_maintenance', 'reason', LABELS_JSON.as('labels')]),
);

export const toExtendedEntry = (row: Awaited<ReturnType<typeof listExtendedEntries>>[number]): ExtendedHostEntry => ({
  entryJson: row.entry_json,
  hostname: row.hostname,
  cluster: row.cluster,
  reason: row.reason,
  isInMaintenance: row.in_maintenance === 1,
  labelsJson: row.labels,
});

export const listInventoryRows = hostListQuery(({ db }) =>
  db
    .selectFrom('hosts')
    .innerJoin('host_access', 'host_access.host', 'hosts.address')
    .select(['address', 'status', 'os', 'hostname', 'cluster', 'remote_user as remoteUser', 'ssh_port as sshPort'])
    .select(LABELS_JSON.as('labels')),
);

const findAddressAfter = prepareQuery(
  ({ db }: SqlSession, { after, skipped }: { after: string | undefined; skipped: number }) => {
    const offset = sql<number>`cast(${skipped} as integer) + 0`;
    const query = db.selectFrom('hosts').select('address').orderBy('sort_key').limit(sql.lit(1)).offset(offset);
    return after === undefined ? query : query.where('sort_key', '>', after);
  },
);

/** The address `count` hosts after this one, or after the start of the list. */
export async function getAddressAfter(
  session: SqlSession,
  after: Address | undefined,
  count: number,
): Promise<Address | undefined> {
  const key = after === undefined ? undefined : addressSortKey(after);
  return (await findAddressAfter(session, { after: key, skipped: count - 1 }))[0]?.address;
}

const listMembersAfter = prepareQuery(
  ({ db }: SqlSession, { cluster, after, limit }: KeysetPage & { cluster: RecordName }) => {
    const members = db.selectFrom('hosts').select('address').where('cluster', '=', cluster).orderBy('sort_key');
    const query = withLimit(members, limit);
    return after === undefined ? query : query.where('sort_key', '>', after);
  },
);

/** Returns one row more than the limit. */
export const listMemberRows = (session: SqlSession, cluster: RecordName, page: PageRequest<Address>) =>
  listMembersAfter(session, { cluster, ...toKeysetPage(page) });
