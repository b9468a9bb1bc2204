import type { Address } from '../../domain/address.ts';
import type { HostLine } from '../../domain/host.ts';
import type { Page } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { prepare } from '../prepare.ts';
import type { Session } from '../session.ts';
import type { HostFilter, HostParams, KeyedPage } from './host-filter.ts';
import { carrying, hostParams, keyedPage, ofPage } from './host-filter.ts';
import { limited } from './page-query.ts';

const lines = ({ db }: Session, params: HostParams) =>
  ofPage(db.selectFrom('hosts').select('listed_json'), params);
const linesOf = prepare(lines);

/** What a list tells of the hosts of a page, one row more than asked for. */
export function hostLines(
  session: Session,
  filter: HostFilter,
  page: Page<Address>,
): Promise<{ listed_json: HostLine }[]> {
  const { labels = [] } = filter;
  const params = hostParams(filter, page);
  // There may be any number of labels, so this one is not kept ready.
  return labels.length === 0
    ? linesOf(session, params)
    : carrying(session, lines(session, params), labels).execute();
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
  membersAfter(session, { cluster, ...keyedPage(page) });
