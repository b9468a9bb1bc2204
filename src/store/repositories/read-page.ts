import type { SelectQueryBuilder } from 'kysely';
import type { Listed } from '../../domain/page.ts';

/** Reads one row more than asked for, to learn whether there is more. */
export async function readPage<DB, Table extends keyof DB, Row, Item>(
  query: SelectQueryBuilder<DB, Table, Row>,
  limit: number | undefined,
  toItem: (row: Row) => Item,
): Promise<Listed<Item>> {
  const rows = await (limit === undefined ? query : query.limit(limit + 1)).execute();
  const hasMore = limit !== undefined && rows.length > limit;
  return { items: (hasMore ? rows.slice(0, limit) : rows).map(row => toItem(row as Row)), hasMore };
}
