import { sql } from 'kysely';
import type { Address } from '../../../domain/addresses/address.ts';
import type { ExtendedHostEntry } from '../../../domain/hosts/host.ts';
import type { PageRequest } from '../../../domain/page.ts';
import type { RecordName } from '../../../domain/record-name.ts';
import { prepare } from '../../prepare.ts';
import type { SqlSession } from '../../sql-session.ts';
import { limited } from '../queries/page-query.ts';
import type { HostFilter, HostParams, HostsQuery, KeyedPage } from './host-filter.ts';
import { carrying, hostParams, keyedPage, ofPage } from './host-filter.ts';

const lines = ({ db }: SqlSession, params: HostParams) =>
  ofPage(db.selectFrom('hosts').select('entry_json'), params);

/**
 * Neither keys nor values hold a sign that JSON would escape. They come from the index in their order; SQLite would sort them once more if
 * the aggregate were told to.
 */
const LABELS_JSON = sql<string | null>`(
  select string_agg(pair, ',') from (
    select '"' || key || '":"' || value || '"' as pair from host_labels where host = hosts.address order by key
  ) as pairs
)`;
const extended = ({ db }: SqlSession, params: HostParams) =>
  ofPage(
    db
      .selectFrom('hosts')
      .select(['entry_json', 'hostname', 'cluster', 'in_maintenance', 'reason', LABELS_JSON.as('labels')]),
    params,
  );

/** What a list asks of the hosts of a page, one row more than asked for. */
function readPage<Row>(build: (session: SqlSession, params: HostParams) => HostsQuery<Row>) {
  const ready = prepare(build);
  return (session: SqlSession, filter: HostFilter, page: PageRequest<Address>): Promise<Row[]> => {
    const { labels = [] } = filter;
    const params = hostParams(filter, page);
    // There may be any number of labels, so this one is not kept ready.
    return labels.length === 0
      ? ready(session, params)
      : (carrying(session, build(session, params), labels).execute() as Promise<Row[]>);
  };
}

export const hostLines = readPage(lines);
export const extendedLines = readPage(extended);

export const toExtendedLine = (
  row: Awaited<ReturnType<typeof extendedLines>>[number],
): ExtendedHostEntry => ({
  entryJson: row.entry_json,
  hostname: row.hostname,
  cluster: row.cluster,
  reason: row.reason,
  isInMaintenance: row.in_maintenance === 1,
  labelsJson: `{${row.labels ?? ''}}`,
});

const membersAfter = prepare(
  ({ db }: SqlSession, { cluster, after, limit }: KeyedPage & { cluster: RecordName }) => {
    const members = db
      .selectFrom('hosts')
      .select('address')
      .where('cluster', '=', cluster)
      .orderBy('sort_key');
    const query = limited(members, limit);
    return after === undefined ? query : query.where('sort_key', '>', after);
  },
);

/** The members of a page, one more than asked for. */
export const memberRows = (session: SqlSession, cluster: RecordName, page: PageRequest<Address>) =>
  membersAfter(session, { cluster, ...keyedPage(page) });
