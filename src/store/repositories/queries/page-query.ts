import type { SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Page, PageRequest } from '../../../domain/page.ts';

/** A page as a query's parameters: one row more than asked for, to learn whether there is more. */
export type PageParams<Cursor> = {
  readonly after: Cursor | undefined;
  readonly limit: number | undefined;
};

export const pageParams = <Cursor>({ limit, after }: PageRequest<Cursor>): PageParams<Cursor> => ({
  after,
  limit: limit === undefined ? undefined : limit + 1,
});

/**
 * The query for at most so many rows. The sum keeps SQLite from looking at the number while it plans: it would plan anew at every
 * call, which takes longer than to read a hundred rows.
 */
export const limited = <DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  limit: number | undefined,
): SelectQueryBuilder<DB, Table, Row> =>
  limit === undefined ? query : query.limit(sql<number>`cast(${limit} as integer) + 0`);

/** What was read with `pageParams` of a page, as that page. */
export function toListed<Row, Item>(
  rows: readonly Row[],
  { limit }: PageRequest<unknown>,
  toItem: (row: Row) => Item,
): Page<Item> {
  const hasMore = limit !== undefined && rows.length > limit;
  return { items: (hasMore ? rows.slice(0, limit) : rows).map(toItem), hasMore };
}
