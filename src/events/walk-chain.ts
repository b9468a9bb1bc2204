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
  cut: id =>
    `the prune point before entry ${id} has no valid signature. It was changed, or entries were deleted without pruning`,
  before: id =>
    `entry ${id} is older than the start of the log. It was inserted, or restored after it was pruned`,
  missing: id => `entry ${id} is missing. It was deleted, possibly with later entries`,
  changed: id =>
    `entry ${id} does not follow from the previous one. It was changed, inserted or moved, or entries before it were deleted`,
  end: id =>
    `entry ${id} is missing. The log ends before its recorded end, so its newest entries were deleted`,
  state: id =>
    `entry ${id} is after the recorded end of the log. The record was replaced by an older one, or the entry was inserted`,
  unnumbered: () => 'an entry has no ID. It was inserted, not written by Hostler',
  last: id => `entry ${id} is the newest one, but the recorded hash is different. The record was changed`,
} as const satisfies Readonly<Record<string, (id: number) => string>>;

/** The first entry that does not hold, and why. */
export interface ChainBreak {
  readonly id: number;
  readonly why: keyof typeof MEANINGS;
}

export const breakInWords = ({ id, why }: ChainBreak): string =>
  `the hash chain is broken: ${MEANINGS[why](id)}`;

export const isBreak = (walked: Walk | ChainBreak | undefined): walked is ChainBreak =>
  walked !== undefined && 'why' in walked;

/** Where the walk begins. */
export function beginWalk(
  key: KeyObject,
  { prunePoint, firstId }: Pick<LogState, 'prunePoint' | 'firstId'>,
): Walk | ChainBreak {
  if (firstId !== (prunePoint?.firstId ?? 1)) return { id: firstId, why: 'cut' };
  if (prunePoint === null) return { id: 0, hash: '' };
  return macOfCut(key, prunePoint) === prunePoint.mac
    ? { id: firstId - 1, hash: prunePoint.hash }
    : { id: firstId, why: 'cut' };
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
