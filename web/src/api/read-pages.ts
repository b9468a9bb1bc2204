import type { Reply } from '#client/client.ts';
import { nextAfter } from '#client/next-page.ts';
import { positionOf } from '#client/position-of.ts';
import type { AnswerOf, Route } from '#contract/route.ts';
import type { Reading } from './client.ts';

/** So many are read while the page stays quick to answer. */
const PAGE = 5000;

/** What a page is asked for with. */
export interface Paging {
  readonly limit: number;
  readonly after?: string;
}

/**
 * A whole list, page by page. It is true for the position of its first page: what happened since then is to be added, and what came later
 * is in later pages already.
 */
export async function readPages<R extends Route, Item>(
  readPage: (paging: Paging) => Promise<Reply<R>>,
  itemsOf: (page: AnswerOf<R>) => readonly Item[],
  onRead?: (count: number) => void,
): Promise<Reading<Item[]>> {
  const items: Item[] = [];
  let position: number | undefined;
  let after: string | undefined;
  do {
    const { body, headers } = await readPage({ limit: PAGE, ...(after !== undefined && { after }) });
    position ??= positionOf(headers);
    for (const item of itemsOf(body)) items.push(item);
    after = nextAfter(headers);
    onRead?.(items.length);
  } while (after !== undefined);
  return { value: items, position };
}
