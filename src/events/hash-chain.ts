// The chain of the log: each entry's hash is made over its text and the hash of the one before, with a key that only servers have. So
// whoever can write to the database, but has not the secret key, can change, add or take away nothing without it being found.

import type { KeyObject } from 'node:crypto';
import { createHmac } from 'node:crypto';
import type { OutboxEntry } from '../domain/events/domain-event.ts';
import type { LogEntry, LogPrunePoint, LogState } from '../domain/events/event-log.ts';
import { nextLogId } from '../domain/events/event-log.ts';

/** A key object: with the bytes of the key, each call takes four times as long. */
const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('hex');

/** The hash of an entry that follows on one with the hash `before`. */
export const entryHash = (key: KeyObject, previousHash: string, id: number, entry: OutboxEntry): string =>
  hmac(
    key,
    JSON.stringify([
      ...[previousHash, id, entry.type, entry.subject, entry.actor, entry.address, entry.requestId, entry.at],
      ...[entry.cluster, entry.host, entry.operation, entry.dataJson],
    ]),
  );

/** What signs that everything before an entry was cut off. It is no hash of an entry: those are over lists. */
export const prunePointMac = (key: KeyObject, { firstId, hash, at }: Omit<LogPrunePoint, 'mac'>): string =>
  hmac(key, JSON.stringify({ first_id: firstId, hash, at }));

/** Entries as the next ones of the log, and the state of the log with them. */
export function appendToChain(
  key: KeyObject,
  state: LogState,
  entries: readonly OutboxEntry[],
): { readonly added: readonly LogEntry[]; readonly state: LogState } {
  const added: LogEntry[] = [];
  let { lastId, lastHash, firstReadableId } = state;
  for (const entry of entries) {
    lastId = nextLogId(lastId, entry);
    lastHash = entryHash(key, lastHash, lastId, entry);
    if (entry.type === 'service.restored') firstReadableId = lastId;
    added.push({ ...entry, id: lastId, hash: lastHash });
  }
  return { added, state: { ...state, lastId, lastHash, firstReadableId } };
}

// The rule by which the log is verified: each entry must be the next one, and have the hash that follows from it and from the one before.
// It begins at the signed cut, or at nothing, and must end where the state says. It is given the entries some at a time.

/** How far it holds. */
export interface ChainPosition {
  readonly id: number;
  readonly hash: string;
}

/** What each way in which the log may not hold means. */
const VIOLATION_TEXTS = {
  prunePoint: id =>
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
export interface ChainViolation {
  readonly id: number;
  readonly kind: keyof typeof VIOLATION_TEXTS;
}

export const describeViolation = ({ id, kind }: ChainViolation): string =>
  `the hash chain is broken: ${VIOLATION_TEXTS[kind](id)}`;

export const isViolation = (result: ChainPosition | ChainViolation | undefined): result is ChainViolation =>
  result !== undefined && 'kind' in result;

/** Where the walk begins. */
export function startVerification(
  key: KeyObject,
  { prunePoint, firstId }: Pick<LogState, 'prunePoint' | 'firstId'>,
): ChainPosition | ChainViolation {
  if (firstId !== (prunePoint?.firstId ?? 1)) return { id: firstId, kind: 'prunePoint' };
  if (prunePoint === null) return { id: 0, hash: '' };
  return prunePointMac(key, prunePoint) === prunePoint.mac
    ? { id: firstId - 1, hash: prunePoint.hash }
    : { id: firstId, kind: 'prunePoint' };
}

function verifyEntry(
  key: KeyObject,
  { id, hash }: ChainPosition,
  entry: LogEntry,
): ChainPosition | ChainViolation {
  const next = nextLogId(id, entry);
  if (entry.id <= id) return { id: entry.id, kind: 'before' };
  if (entry.id > next) return { id: id + 1, kind: 'missing' };
  return entry.id === next && entryHash(key, hash, entry.id, entry) === entry.hash
    ? { id: entry.id, hash: entry.hash }
    : { id: entry.id, kind: 'changed' };
}

/** The walk after the entries that follow, in the order of their numbers. */
export function verifyEntries(
  key: KeyObject,
  start: ChainPosition,
  entries: readonly LogEntry[],
): ChainPosition | ChainViolation {
  let position = start;
  for (const entry of entries) {
    const next = verifyEntry(key, position, entry);
    if (isViolation(next)) return next;
    position = next;
  }
  return position;
}

/** What is wrong when there are no more entries; `undefined`: nothing. */
export function finishVerification(
  { id, hash }: ChainPosition,
  { lastId, lastHash }: Pick<LogState, 'lastId' | 'lastHash'>,
): ChainViolation | undefined {
  if (id < lastId) return { id: id + 1, kind: 'end' };
  if (id > lastId) return { id: lastId + 1, kind: 'state' };
  return hash === lastHash ? undefined : { id, kind: 'last' };
}
