// The rule by which the log is verified: each entry must be the next one, and have the hash that follows from it and from the one before.
// It begins at the signed cut, or at nothing, and must end where the state says. It is given the entries some at a time.

import type { KeyObject } from 'node:crypto';
import type { LogEntry, LogState } from '../domain/events/event-log.ts';
import { nextLogId } from '../domain/events/event-log.ts';
import { hashOf, macOfCut } from './chain.ts';

/** How far it holds. */
export interface Walk {
  readonly id: number;
  readonly hash: string;
}

/** What each way in which the log may not hold means. */
const MEANINGS = {
  cut: 'the prune point before it has no valid signature: the prune point was changed, or entries were deleted without pruning',
  before: 'the entry is older than the start of the log: it was inserted, or restored after it was pruned',
  missing: 'the entry is missing: it was deleted, possibly together with later entries',
  changed:
    'the entry does not follow from the previous one: it was changed, inserted or moved, or entries before it were deleted',
  end: 'the entry is missing: the log ends before its recorded end, so its newest entries were deleted',
  state:
    'the entry is after the recorded end of the log: the record was replaced by an older one, or the entry was inserted',
  unnumbered: 'the log has an entry without a number, which Hostler did not write; it was inserted',
  last: 'the entry is the newest one, but the recorded hash is different: the record was changed',
} as const;

/** The first entry that does not hold, and why. */
export interface ChainBreak {
  readonly id: number;
  readonly why: keyof typeof MEANINGS;
}

export const breakInWords = ({ id, why }: ChainBreak): string =>
  why === 'unnumbered' ? MEANINGS[why] : `the hash chain is broken at entry ${id}: ${MEANINGS[why]}`;

export const isBreak = (walked: Walk | ChainBreak | undefined): walked is ChainBreak =>
  walked !== undefined && 'why' in walked;

/** Where the walk begins. */
export function beginWalk(
  key: KeyObject,
  { cut, firstId }: Pick<LogState, 'cut' | 'firstId'>,
): Walk | ChainBreak {
  if (firstId !== (cut?.firstId ?? 1)) return { id: firstId, why: 'cut' };
  if (cut === null) return { id: 0, hash: '' };
  return macOfCut(key, cut) === cut.mac ? { id: firstId - 1, hash: cut.hash } : { id: firstId, why: 'cut' };
}

function step(key: KeyObject, { id, hash }: Walk, entry: LogEntry): Walk | ChainBreak {
  const next = nextLogId(id, entry);
  if (entry.id <= id) return { id: entry.id, why: 'before' };
  if (entry.id > next) return { id: id + 1, why: 'missing' };
  return entry.id === next && hashOf(key, hash, entry.id, entry) === entry.hash
    ? { id: entry.id, hash: entry.hash }
    : { id: entry.id, why: 'changed' };
}

/** The walk after the entries that follow, in the order of their numbers. */
export function walkOn(key: KeyObject, walk: Walk, entries: readonly LogEntry[]): Walk | ChainBreak {
  let reached = walk;
  for (const entry of entries) {
    const next = step(key, reached, entry);
    if (isBreak(next)) return next;
    reached = next;
  }
  return reached;
}

/** What is wrong when there are no more entries; `undefined`: nothing. */
export function endWalk(
  { id, hash }: Walk,
  { lastId, lastHash }: Pick<LogState, 'lastId' | 'lastHash'>,
): ChainBreak | undefined {
  if (id < lastId) return { id: id + 1, why: 'end' };
  if (id > lastId) return { id: lastId + 1, why: 'state' };
  return hash === lastHash ? undefined : { id, why: 'last' };
}
