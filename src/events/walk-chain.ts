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
  cut: 'the point before it at which the log was cut off is not signed by this log: it was moved, or entries were taken away without a cut',
  before:
    'it is older than the beginning of the log: it was added by somebody else, or put back after it was cut off',
  missing: 'it is not there: it was taken away, and maybe more that followed',
  changed:
    'it is not what was written after the entry before it: it was changed, added or moved, or entries right before it were taken away',
  end: 'it is not there: the log ends earlier than its own record says, so its newest entries were taken away',
  state:
    'it comes after the end that is on record: that record was put back to an older one, or the entry was added',
  unnumbered: 'the log has an entry without a number, which Hostler did not write',
  last: 'it is the newest, and the record of that has another hash: the record was rewritten',
} as const;

/** The first entry that does not hold, and why. */
export interface ChainBreak {
  readonly id: number;
  readonly why: keyof typeof MEANINGS;
}

export const breakInWords = ({ id, why }: ChainBreak): string =>
  why === 'unnumbered' ? MEANINGS[why] : `the chain does not hold at entry ${id}: ${MEANINGS[why]}`;

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
