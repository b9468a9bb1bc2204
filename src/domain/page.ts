/** Without a limit, the page has all items. */
export interface PageRequest<Cursor = string> {
  readonly limit?: number | undefined;
  readonly after?: Cursor | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}
