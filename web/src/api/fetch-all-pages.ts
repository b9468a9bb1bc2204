import type { ResponseOf, RouteDefinition } from '#contract/route-definition.ts';
import type { ApiResponse } from '#sdk/client.ts';
import { getEventPosition, getNextCursor } from '#sdk/response-headers.ts';
import type { Positioned } from './client.ts';

/** So many are read while the page stays quick to answer. */
const PAGE_SIZE = 5000;

/** What a page is asked for with. */
export interface Paging {
  readonly limit: number;
  readonly after?: string;
}

/**
 * A whole list, page by page. It is true for the position of its first page: what happened since then is to be added, and what came later
 * is in later pages already.
 */
export async function fetchAllPages<R extends RouteDefinition, Item>(
  fetchPage: (paging: Paging) => Promise<ApiResponse<R>>,
  toItems: (page: ResponseOf<R>) => readonly Item[],
  onProgress?: (count: number) => void,
): Promise<Positioned<Item[]>> {
  const items: Item[] = [];
  let position: number | undefined;
  let after: string | undefined;
  do {
    const { body, headers } = await fetchPage({ limit: PAGE_SIZE, ...(after !== undefined && { after }) });
    position ??= getEventPosition(headers);
    for (const item of toItems(body)) items.push(item);
    after = getNextCursor(headers);
    onProgress?.(items.length);
  } while (after !== undefined);
  return { value: items, position };
}
