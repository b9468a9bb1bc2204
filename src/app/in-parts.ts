import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Page } from '../domain/page.ts';

interface Part<Cursor> {
  readonly after: Cursor | undefined;
  readonly limit: number;
}

/** Reads a long list in parts. Others get their turn after each, also after the last: many short lists are as long as one. */
export async function* inParts<Item, Cursor>(
  read: (part: Part<Cursor>) => Promise<Page<Item>>,
  cursorOf: (item: Item) => Cursor,
  { after, limit }: { readonly after?: Cursor | undefined; readonly limit: number },
): AsyncGenerator<readonly Item[]> {
  for (let reached = after; ; ) {
    const { items, hasMore } = await read({ after: reached, limit });
    yield items;
    await nextTurn();
    const last = items.at(-1);
    if (!hasMore || last === undefined) return;
    reached = cursorOf(last);
  }
}
