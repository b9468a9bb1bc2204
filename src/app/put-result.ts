/** What a PUT that did not fail answers. */
export interface PutResult<T> {
  readonly record: T;
  /** Whether it made something, rather than finding it there. */
  readonly isNew: boolean;
}
