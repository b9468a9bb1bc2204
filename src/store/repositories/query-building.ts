import type { SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { SqlEngine } from '../sql-session.ts';

/** How many rows or addresses one statement names: engines limit its parameters, and SQLite serves nothing else until it ends. */
const CHUNK_SIZE = 250;

export const toChunks = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK_SIZE) }, (_, index) =>
    items.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  );

/** Locks the rows that a query finds, where the engine locks rows. */
export const forUpdate = <DB, Table extends keyof DB, Row>(
  { hasRowLocks }: SqlEngine,
  query: SelectQueryBuilder<DB, Table, Row>,
): SelectQueryBuilder<DB, Table, Row> => (hasRowLocks ? query.forUpdate() : query);

/**
 * Makes a record, or finds it there and locks it: answers the one that is there, `undefined` when the new one was made.
 * Another transaction may make or remove it at the same moment, so it looks until one of the two holds.
 */
export async function insertOrLock<T>(
  lock: () => Promise<T | undefined>,
  insert: () => Promise<boolean>,
): Promise<T | undefined> {
  for (;;) {
    const existing = await lock();
    if (existing !== undefined) return existing;
    if (await insert()) return undefined;
  }
}

/** A page as a query's parameters: one row more than asked for, to learn whether there is more. */
export type PageParams<Cursor> = {
  readonly after: Cursor | undefined;
  readonly limit: number | undefined;
};

export const toPageParams = <Cursor>({ limit, after }: PageRequest<Cursor>): PageParams<Cursor> => ({
  after,
  limit: limit === undefined ? undefined : limit + 1,
});

/**
 * The query for at most so many rows. The sum keeps SQLite from looking at the number while it plans: it would plan anew at every
 * call, which takes longer than to read a hundred rows.
 */
export const withLimit = <DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  limit: number | undefined,
): SelectQueryBuilder<DB, Table, Row> =>
  limit === undefined ? query : query.limit(sql<number>`cast(${limit} as integer) + 0`);

/** What was read with `pageParams` of a page, as that page. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  { limit }: PageRequest<unknown>,
  toItem: (row: Row) => Item,
): Page<Item> {
  const hasMore = limit !== undefined && rows.length > limit;
  return { items: (hasMore ? rows.slice(0, limit) : rows).map(toItem), hasMore };
}
