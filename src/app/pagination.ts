import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Page, PageRequest } from '../domain/page.ts';
import type { ReadRepositories } from '../store/repositories/index.ts';
import type { Store } from '../store/store.ts';

export interface PageBounds<Cursor> {
  readonly after: Cursor | undefined;
  readonly limit: number;
}

/** Yields to the event loop after each page, including the last: many short lists take as long as one long list. */
export async function* readPages<Item, Cursor>(
  read: (page: PageBounds<Cursor>) => Promise<Page<Item>>,
  cursorOf: (item: Item) => Cursor,
  { after, limit }: { readonly after?: Cursor | undefined; readonly limit: number },
): AsyncGenerator<readonly Item[]> {
  for (let cursor = after; ; ) {
    const { items, hasMore } = await read({ after: cursor, limit });
    yield items;
    await yieldToEventLoop();
    const last = items.at(-1);
    if (!hasMore || last === undefined) return;
    cursor = cursorOf(last);
  }
}

/** A batch takes about one millisecond. */
const BATCH_SIZE = 1000;

/** Without a limit, reads the whole list: in batches from one snapshot, so other requests are served in between. */
export async function listRecords<Item, Cursor>(
  store: Store,
  page: PageRequest<Cursor>,
  read: (reads: ReadRepositories, page: PageBounds<Cursor>) => Promise<Page<Item>>,
  cursorOf: (item: Item) => Cursor,
): Promise<Page<Item>> {
  const { after, limit = Number.POSITIVE_INFINITY } = page;
  if (limit <= BATCH_SIZE) return read(store.reads, { after, limit });
  // Most lists fit into one batch and need no snapshot.
  const firstBatch = await read(store.reads, { after, limit: BATCH_SIZE });
  if (!firstBatch.hasMore) return firstBatch;
  return store.snapshot(async reads => {
    const items: Item[] = [];
    let hasMore = true;
    while (hasMore && items.length < limit) {
      const last = items.at(-1);
      const batch = await read(reads, {
        after: last === undefined ? after : cursorOf(last),
        limit: Math.min(BATCH_SIZE, limit - items.length),
      });
      items.push(...batch.items);
      hasMore = batch.hasMore;
      await yieldToEventLoop();
    }
    return { items, hasMore };
  });
}
