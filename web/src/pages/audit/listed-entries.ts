import type { Static } from 'typebox';
import type { AuditEntry as AuditEntryShape } from '#contract/routes/audit.ts';

export type AuditEntry = Static<typeof AuditEntryShape>;

/** Entries without a gap, the newest first. */
export interface Listed {
  readonly entries: readonly AuditEntry[];
  /** Whether there is nothing older. */
  readonly isWhole: boolean;
}

/** A page that is left open must not fill the memory of a browser. */
const MOST = 5000;

/** What is known after the newest were read anew. Where they do not reach what was known, that is let go: there would be a gap. */
export function withNewest(known: Listed | undefined, newest: readonly AuditEntry[], limit: number): Listed {
  const last = newest.at(-1);
  if (newest.length < limit || last === undefined) return { entries: newest, isWhole: true };
  const first = known?.entries[0];
  if (known === undefined || first === undefined || first.id < last.id)
    return { entries: newest, isWhole: false };
  const entries = [...newest, ...known.entries.filter(({ id }) => id < last.id)];
  return entries.length > MOST
    ? { entries: entries.slice(0, MOST), isWhole: false }
    : { entries, isWhole: known.isWhole };
}

/** What is known after older ones were read: those that come after the last. */
export function withOlder({ entries }: Listed, older: readonly AuditEntry[], limit: number): Listed {
  const lastId = entries.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  return { entries: [...entries, ...older.filter(({ id }) => id < lastId)], isWhole: older.length < limit };
}
