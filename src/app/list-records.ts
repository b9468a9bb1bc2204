import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page, PageRequest } from '../domain/page.ts';
import type { Reads } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** How much of a long list is read at a time: a millisecond's work. */
const ROWS_AT_A_TIME = 1000;

/**
 * A page of a list, or without a limit the whole list. A long one is read in parts of one snapshot, so that other requests are served in
 * between.
 */
export async function listRecords<Item, Cursor>(
  store: Store,
  page: PageRequest<Cursor>,
  read: (reads: Reads, page: PageRequest<Cursor>) => Promise<Page<Item>>,
  cursorOf: (item: Item) => Cursor,
): Promise<Page<Item>> {
  const { limit = Number.POSITIVE_INFINITY } = page;
  if (limit <= ROWS_AT_A_TIME) return read(store.reads, page);
  // Few lists are long, and those that are not need no snapshot.
  const beginning = await read(store.reads, { ...page, limit: ROWS_AT_A_TIME });
  if (!beginning.hasMore) return beginning;
  return store.snapshot(async reads => {
    const items: Item[] = [];
    let hasMore = true;
    while (hasMore && items.length < limit) {
      const last = items.at(-1);
      const part = await read(reads, {
        after: last === undefined ? page.after : cursorOf(last),
        limit: Math.min(ROWS_AT_A_TIME, limit - items.length),
      });
      items.push(...part.items);
      hasMore = part.hasMore;
      await nextTurn();
    }
    return { items, hasMore };
  });
}
