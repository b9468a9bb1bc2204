import type { SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { SqlEngine } from '../sql-session.ts';

/**
 * Maximum rows or addresses per statement: engines limit the number of parameters, and SQLite blocks the
 * event loop.
 */
const CHUNK_SIZE = 250;

export const toChunks = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK_SIZE) }, (_, index) =>
    items.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  );

/** Locks the rows if the engine has row locks. */
export const forUpdate = <DB, Table extends keyof DB, Row>(
  { hasRowLocks }: SqlEngine,
  query: SelectQueryBuilder<DB, Table, Row>,
): SelectQueryBuilder<DB, Table, Row> => (hasRowLocks ? query.forUpdate() : query);

/**
 * Returns the existing record, locked, or `undefined` if the new one was inserted. Another transaction can
 * insert or remove the record at the same time, so it retries until one of the two succeeds.
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

/** `limit` is one more than requested, to find out whether there are more rows. */
export type PageParams<Cursor> = {
  readonly after: Cursor | undefined;
  readonly limit: number | undefined;
};

export const toPageParams = <Cursor>({ limit, after }: PageRequest<Cursor>): PageParams<Cursor> => ({
  after,
  limit: limit === undefined ? undefined : limit + 1,
});

/**
 * The `+ 0` hides the number from the planner of SQLite: otherwise it would plan the query again on every
 * call, which takes longer than reading a hundred rows.
 */
export const withLimit = <DB, Table extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Table, Row>,
  limit: number | undefined,
): SelectQueryBuilder<DB, Table, Row> =>
  limit === undefined ? query : query.limit(sql<number>`cast(${limit} as integer) + 0`);

/** Converts rows that were read with `toPageParams`. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  { limit }: PageRequest<unknown>,
  toItem: (row: Row) => Item,
): Page<Item> {
  const hasMore = limit !== undefined && rows.length > limit;
  return { items: (hasMore ? rows.slice(0, limit) : rows).map(toItem), hasMore };
}
