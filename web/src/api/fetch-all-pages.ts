import type { ResponseOf, RouteDefinition } from '#contract/route-definition.ts';
import type { ApiResponse } from '#sdk/client.ts';
import { getEventPosition, getNextCursor } from '#sdk/response-headers.ts';
import type { Positioned } from './client.ts';

/** Large enough for few requests, small enough for a fast response. */
const PAGE_SIZE = 5000;

export interface Paging {
  readonly limit: number;
  readonly after?: string;
}

/**
 * Reads all pages of a list. The result has the event position of the first page: the caller applies the events after
 * it. Later pages can already contain some of these changes.
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
