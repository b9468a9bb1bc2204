import type { InsertQueryBuilder, InsertResult, SelectQueryBuilder } from 'kysely';
import { sql } from 'kysely';
import type { Page, PageRequest } from '../../domain/page.ts';
import type { Params, SqlEngine, SqlSession } from '../sql-session.ts';
import { prepareQuery } from '../sql-session.ts';
import type { Tables } from '../tables/tables.ts';

/** Maximum rows per statement: engines limit parameters, and SQLite blocks the event loop. */
const CHUNK_SIZE = 250;

export const toChunks = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK_SIZE) }, (_, index) =>
    items.slice(index * CHUNK_SIZE, (index + 1) * CHUNK_SIZE),
  );

export async function queryInChunks<T, Row>(
  items: readonly T[],
  query: (chunk: readonly T[]) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const chunk of toChunks(items)) rows.push(...(await query(chunk)));
  return rows;
}

export const forUpdate = <DB, Table extends keyof DB, Row>(
  { hasRowLocks }: SqlEngine,
  query: SelectQueryBuilder<DB, Table, Row>,
): SelectQueryBuilder<DB, Table, Row> => (hasRowLocks ? query.forUpdate() : query);

/** Prepares a query for at most one row, which reads the row or locks it. */
export function prepareLookup<Key extends Params, Table extends keyof Tables, Row>(
  select: (session: SqlSession, key: Key) => SelectQueryBuilder<Tables, Table, Row>,
) {
  const find = prepareQuery(select);
  const lock = prepareQuery((session: SqlSession, key: Key) => forUpdate(session.engine, select(session, key)));
  return {
    find: async (session: SqlSession, key: Key): Promise<Row | undefined> => (await find(session, key))[0],
    lock: async (session: SqlSession, key: Key): Promise<Row | undefined> => (await lock(session, key))[0],
  };
}

/** Returns whether the row was inserted. It is not if its key exists. */
export async function insertIfAbsent<Table extends keyof Tables>(
  insert: InsertQueryBuilder<Tables, Table, InsertResult>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await insert
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

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

export function toPage<Row, Item>(
  rows: readonly Row[],
  { limit }: PageRequest<unknown>,
  toItem: (row: Row) => Item,
): Page<Item> {
  const hasMore = limit !== undefined && rows.length > limit;
  return { items: (hasMore ? rows.slice(0, limit) : rows).map(toItem), hasMore };
}
