import type { Listed, Page } from '../domain/page.ts';
import type { Reads } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { inParts } from './in-parts.ts';

/** How much of a long list is read at a time: a millisecond's work. */
const ROWS_AT_A_TIME = 1000;

/**
 * A page of a list, or without a limit the whole of it. What is long is read in parts, so that others get their turn in between, and
 * all parts are of one moment.
 */
export async function listRecords<Item, Cursor>(
  store: Store,
  page: Page<Cursor>,
  read: (reads: Reads, page: Page<Cursor>) => Promise<Listed<Item>>,
  cursorOf: (item: Item) => Cursor,
): Promise<Listed<Item>> {
  if (page.limit !== undefined) return read(store.reads, page);
  // Few lists are long, and those that are not need no snapshot.
  const beginning = await read(store.reads, { ...page, limit: ROWS_AT_A_TIME });
  if (!beginning.hasMore) return beginning;
  return store.snapshot(async reads => {
    const items: Item[] = [];
    const parts = inParts(part => read(reads, part), cursorOf, { after: page.after, limit: ROWS_AT_A_TIME });
    for await (const part of parts) items.push(...part);
    return { items, hasMore: false };
  });
}
