import type { EnrolmentToken } from '../../domain/accounts/enrolment-token.ts';
import { tokenState } from '../../domain/accounts/enrolment-token.ts';
import { AppError } from '../../domain/errors.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { TokenState } from '../../domain/vocabulary.ts';
import { listRecords } from '../list-records.ts';
import type { Ports } from '../ports.ts';

/** A token, and whether it can be used at this moment. */
export interface ReadableToken {
  readonly token: EnrolmentToken;
  readonly state: TokenState;
}

export const unknownToken = (name: RecordName) =>
  new AppError('not_found', `the token ${name} does not exist`);

export async function listTokens(
  { store }: Ports,
  page: PageRequest<RecordName>,
): Promise<Page<ReadableToken>> {
  const now = formatTimestamp(await store.reads.nowMs());
  const { items, hasMore } = await listRecords(
    store,
    page,
    (reads, part) => reads.enrolmentTokens.list(part),
    token => token.name,
  );
  return { items: items.map(token => ({ token, state: tokenState(token, now) })), hasMore };
}

export async function getToken({ store }: Ports, name: RecordName): Promise<ReadableToken | AppError> {
  const token = await store.reads.enrolmentTokens.get(name);
  if (token === undefined) return unknownToken(name);
  return { token, state: tokenState(token, formatTimestamp(await store.reads.nowMs())) };
}
