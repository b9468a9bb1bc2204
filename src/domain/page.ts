/** Which part of a list is wanted; without a limit, all of it. */
export interface PageRequest<Cursor = string> {
  readonly limit?: number | undefined;
  /** Only what comes after this entry. */
  readonly after?: Cursor | undefined;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Whether more comes after the last of them. */
  readonly hasMore: boolean;
}
