import type { Sealed, SealedPlace } from './secret.ts';

/** A row of the store with the secrets that it keeps, for those who seal them anew. */
export interface SealedRow {
  readonly values: readonly { readonly sealed: Sealed; readonly place: SealedPlace }[];
  /** Keeps these instead, in the same order; unless the row has changed since it was read. */
  replace(values: readonly Sealed[]): Promise<void>;
}
