import type { Static } from 'typebox';
import type { AuditEntry as AuditEntryShape } from '#contract/routes/events.ts';

export type AuditEntry = Static<typeof AuditEntryShape>;

/** Entries without a gap, the newest first. */
export interface AuditList {
  readonly entries: readonly AuditEntry[];
  /** Whether there is nothing older. */
  readonly isComplete: boolean;
}

/** A page that is left open must not fill the memory of a browser. */
const MAX_ENTRIES = 5000;

/** What is known after the newest were read anew. Where they do not reach what was known, that is let go: there would be a gap. */
export function mergeNewest(
  current: AuditList | undefined,
  newest: readonly AuditEntry[],
  limit: number,
): AuditList {
  const last = newest.at(-1);
  if (newest.length < limit || last === undefined) return { entries: newest, isComplete: true };
  const first = current?.entries[0];
  if (current === undefined || first === undefined || first.id < last.id)
    return { entries: newest, isComplete: false };
  const entries = [...newest, ...current.entries.filter(({ id }) => id < last.id)];
  return entries.length > MAX_ENTRIES
    ? { entries: entries.slice(0, MAX_ENTRIES), isComplete: false }
    : { entries, isComplete: current.isComplete };
}

/** What is known after older ones were read: those that come after the last. */
export function appendOlder({ entries }: AuditList, older: readonly AuditEntry[], limit: number): AuditList {
  const lastId = entries.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  return {
    entries: [...entries, ...older.filter(({ id }) => id < lastId)],
    isComplete: older.length < limit,
  };
}
