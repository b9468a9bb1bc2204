import type { Address } from '../../domain/address.ts';
import { addressSortKey } from '../../domain/address.ts';
import type { HostLine } from '../../domain/host.ts';
import type { LabelFilter } from '../../domain/labels.ts';
import type { Page } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { HostStatus } from '../../domain/vocabulary.ts';
import { prepare } from '../prepare.ts';
import type { Session } from '../session.ts';
import type { PageParams } from './page-query.ts';
import { limited, pageParams } from './page-query.ts';

export interface HostFilter {
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
type KeyedPage = PageParams<string>;

const pageOf = ({ limit, after }: Page<Address>): KeyedPage =>
  pageParams({ limit, after: after === undefined ? undefined : addressSortKey(after) });

type LineParams = KeyedPage &
  Omit<HostFilter, 'addressPart' | 'labels'> & { readonly pattern: string | undefined };

const lines = ({ db }: Session, { pattern, after, limit, status, os, hostname, cluster }: LineParams) => {
  let query = limited(db.selectFrom('hosts').select('listed_json').orderBy('sort_key'), limit);
  if (status !== undefined) query = query.where('status', '=', status);
  if (os !== undefined) query = query.where('os', '=', os);
  if (hostname !== undefined) query = query.where('hostname', '=', hostname);
  if (cluster === null) query = query.where('cluster', 'is', null);
  else if (cluster !== undefined) query = query.where('cluster', '=', cluster);
  if (pattern !== undefined) {
    query = query.where(({ eb, fn, val }) => eb(fn('lower', ['address']), 'like', val(pattern)));
  }
  return after === undefined ? query : query.where('sort_key', '>', after);
};
const linesOf = prepare(lines);

/** Found by the index `hosts_by_label`. */
const hostsWith = ({ db }: Session, { key, value }: LabelFilter) => {
  const query = db.selectFrom('host_labels').select('host').where('key', '=', key);
  return value === undefined ? query : query.where('value', '=', value);
};

/** What a list tells of the hosts of a page, one row more than asked for. */
export function hostLines(
  session: Session,
  { addressPart, labels = [], ...filter }: HostFilter,
  page: Page<Address>,
): Promise<{ listed_json: HostLine }[]> {
  const pattern = addressPart === undefined ? undefined : likePattern(addressPart);
  const params = { ...filter, pattern, ...pageOf(page) };
  if (labels.length === 0) return linesOf(session, params);
  // There may be any number of labels, so this one is not kept ready.
  const labelled = labels.reduce(
    (query, label) => query.where('address', 'in', hostsWith(session, label)),
    lines(session, params),
  );
  return labelled.execute();
}

const membersAfter = prepare(
  ({ db }: Session, { cluster, after, limit }: KeyedPage & { cluster: RecordName }) => {
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
export const memberRows = (session: Session, cluster: RecordName, page: Page<Address>) =>
  membersAfter(session, { cluster, ...pageOf(page) });
