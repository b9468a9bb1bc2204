import type { Sealed, SecretLocation } from '../../../domain/secret.ts';
import type { SqlSession } from '../../sql-session.ts';

/** A row of the store with the secrets that it keeps, for those who seal them anew. */
export interface SealedRow {
  readonly values: readonly { readonly sealed: Sealed; readonly place: SecretLocation }[];
  /** Keeps for each value the one that it is renewed by; unless the row has changed since it was read. */
  replace(renewed: Renewed): Promise<void>;
}

/** No two sealed values are equal, so each says by itself what takes its place. */
export type Renewed = ReadonlyMap<Sealed, Sealed>;

export const renewedBy = (renewed: Renewed, sealed: Sealed): Sealed => renewed.get(sealed) ?? sealed;

/** Some rows of a table, and the cursor of the last of them; none at the end. */
export interface SealedPart {
  readonly rows: readonly SealedRow[];
  readonly next: string | undefined;
}

/** Reads a table from a cursor on; `''` is before the first row. */
export type SealedTable = (session: SqlSession, after: string, limit: number) => Promise<SealedPart>;

export function sealedPartOf<Row>(
  rows: readonly Row[],
  toSealed: (row: Row) => SealedRow,
  cursorOf: (row: Row) => string,
): SealedPart {
  const last = rows.at(-1);
  return { rows: rows.map(toSealed), next: last && cursorOf(last) };
}
