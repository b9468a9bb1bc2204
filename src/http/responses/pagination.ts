import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { isRecordName } from '../../domain/record-name.ts';
import type { HandlerResult } from '../request-context.ts';
import { SerializedJson } from './serialized-json.ts';

interface PageQuery {
  readonly limit?: number;
  readonly after?: string;
}

const invalidCursor = (requirement: string) =>
  new AppError('invalid_query', `after must be ${requirement}`, {
    errors: [{ path: '/after', message: `must be ${requirement}` }],
  });

export function parseNamePage({ limit, after }: PageQuery): PageRequest<RecordName> | AppError {
  if (after === undefined) return { limit };
  return isRecordName(after) ? { limit, after } : invalidCursor('a name');
}

export function parseAddressPage({ limit, after }: PageQuery): PageRequest<Address> | AppError {
  if (after === undefined) return { limit };
  const address = parseAddress(after);
  return address === undefined ? invalidCursor('an IPv4 or IPv6 address') : { limit, after: address };
}

/** Link header of the page after the entry `after` (RFC 8288). */
export function nextLink(url: string, after: string): string {
  const [path = ''] = url.split('?');
  const query = new URLSearchParams(url.slice(path.length));
  query.set('after', after);
  return `<${path}?${query}>; rel="next"`;
}

export function nextLinkHeader<Item>(url: string, { items, hasMore }: Page<Item>, toCursor: (item: Item) => string) {
  const last = hasMore ? items.at(-1) : undefined;
  return last === undefined ? undefined : { link: nextLink(url, toCursor(last)) };
}

export const stringifyView =
  <Item>(view: (item: Item) => object) =>
  (item: Item): string =>
    JSON.stringify(view(item));

export const toListResult = <Item>(
  url: string,
  page: Page<Item>,
  toCursor: (item: Item) => string,
  toJson: (item: Item) => string,
): HandlerResult<SerializedJson> => ({
  body: SerializedJson.fromItems(page.items.map(item => toJson(item))),
  headers: nextLinkHeader(url, page, toCursor),
});

/** A page of records with names; without `view`, of the names themselves. */
export async function respondPage<Item>(
  { query, url }: { readonly query: PageQuery; readonly url: string },
  list: (page: PageRequest<RecordName>) => Promise<Page<Item>>,
  toName: (item: Item) => string = String,
  toJson: (item: Item) => string = JSON.stringify,
): Promise<HandlerResult<SerializedJson> | AppError> {
  const page = parseNamePage(query);
  return page instanceof AppError ? page : toListResult(url, await list(page), toName, toJson);
}
