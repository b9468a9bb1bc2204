import type { Static } from 'typebox';
import type { AuditEntry as AuditEntryShape } from '#contract/routes/events.ts';

export type AuditEntry = Static<typeof AuditEntryShape>;

/** Entries without gaps, newest first. */
export interface AuditList {
  readonly entries: readonly AuditEntry[];
  readonly isComplete: boolean;
}

/** Limits the memory of a page that stays open. */
const MAX_ENTRIES = 5000;

/**
 * Merges a refetch of the newest entries. If they do not reach the known entries, the known entries are dropped to
 * avoid a gap.
 */
export function mergeNewest(current: AuditList | undefined, newest: readonly AuditEntry[], limit: number): AuditList {
  const last = newest.at(-1);
  if (newest.length < limit || last === undefined) return { entries: newest, isComplete: true };
  const first = current?.entries[0];
  if (current === undefined || first === undefined || first.id < last.id) return { entries: newest, isComplete: false };
  const entries = [...newest, ...current.entries.filter(({ id }) => id < last.id)];
  return entries.length > MAX_ENTRIES
    ? { entries: entries.slice(0, MAX_ENTRIES), isComplete: false }
    : { entries, isComplete: current.isComplete };
}

export function appendOlder({ entries }: AuditList, older: readonly AuditEntry[], limit: number): AuditList {
  const lastId = entries.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  return {
    entries: [...entries, ...older.filter(({ id }) => id < lastId)],
    isComplete: older.length < limit,
  };
}
