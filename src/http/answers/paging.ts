import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { isRecordName } from '../../domain/record-name.ts';
import type { Answer } from '../call.ts';
import { ReadyJson } from './ready-json.ts';

interface PagingQuery {
  readonly limit?: number;
  readonly after?: string;
}

const badCursor = (what: string) =>
  new AppError('invalid_query', `after must be ${what}`, {
    errors: [{ path: '/after', message: `must be ${what}` }],
  });

export function pageOfNames({ limit, after }: PagingQuery): PageRequest<RecordName> | AppError {
  if (after === undefined) return { limit };
  return isRecordName(after) ? { limit, after } : badCursor('a name');
}

export function pageOfAddresses({ limit, after }: PagingQuery): PageRequest<Address> | AppError {
  if (after === undefined) return { limit };
  const address = parseAddress(after);
  return address === undefined ? badCursor('an IPv4 or IPv6 address') : { limit, after: address };
}

/** Where the page after this entry is. */
export function nextLink(url: string, after: string): string {
  const [path = ''] = url.split('?');
  const next = new URLSearchParams(url.slice(path.length));
  next.set('after', after);
  return `<${path}?${next}>; rel="next"`;
}

/** Answers a list of items, each written as JSON; where there is more, `Link` says where (RFC 8288). */
export function answerList<Item>(
  url: string,
  { items, hasMore }: Page<Item>,
  cursorOf: (item: Item) => string,
  toJson: (item: Item) => string,
): Answer<never> {
  const body = ReadyJson.list(items.map(item => toJson(item)));
  const last = items.at(-1);
  if (!hasMore || last === undefined) return { body };
  return { body, headers: { link: nextLink(url, cursorOf(last)) } };
}

/** Answers a list of names or addresses. */
export const answerNames = (url: string, names: Page<string>): Answer<never> =>
  answerList(
    url,
    names,
    name => name,
    name => JSON.stringify(name),
  );
