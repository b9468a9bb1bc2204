// The hash chain of the event log. The hash of each entry covers the entry and the previous hash, with a key
// that only servers have. An attacker with write access to the database but without the secret key cannot
// change, insert or delete entries undetected.

import type { KeyObject } from 'node:crypto';
import { createHmac } from 'node:crypto';
import type { OutboxEntry } from '../domain/events/domain-event.ts';
import type { LogEntry, LogPrunePoint, LogState } from '../domain/events/event-log.ts';
import { nextLogId } from '../domain/events/event-log.ts';

/** A `KeyObject`: passing the key as bytes makes each call four times slower. */
const hmac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text).digest('hex');

export const entryHash = (key: KeyObject, previousHash: string, id: number, entry: OutboxEntry): string =>
  hmac(
    key,
    JSON.stringify([
      ...[previousHash, id, entry.type, entry.subject, entry.actor, entry.address, entry.requestId, entry.at],
      ...[entry.cluster, entry.host, entry.operation, entry.dataJson],
    ]),
  );

/** Signs the prune point. It cannot collide with the hash of an entry, which covers a JSON array. */
export const prunePointMac = (key: KeyObject, { firstId, hash, at }: Omit<LogPrunePoint, 'mac'>): string =>
  hmac(key, JSON.stringify({ first_id: firstId, hash, at }));

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

export interface ChainPosition {
  readonly id: number;
  readonly hash: string;
}

const VIOLATION_TEXTS = {
  prunePoint: id =>
    `the prune point before entry ${id} has no valid signature. It was changed, or entries were deleted without pruning`,
  before: id => `entry ${id} is older than the start of the log. It was inserted, or restored after it was pruned`,
  missing: id => `entry ${id} is missing. It was deleted, possibly with later entries`,
  changed: id =>
    `entry ${id} does not follow from the previous one. It was changed, inserted or moved, or entries before it were deleted`,
  end: id => `entry ${id} is missing. The log ends before its recorded end, so its newest entries were deleted`,
  state: id =>
    `entry ${id} is after the recorded end of the log. The record was replaced by an older one, or the entry was inserted`,
  unnumbered: () => 'an entry has no ID. It was inserted, not written by Hostler',
  last: id => `entry ${id} is the newest one, but the recorded hash is different. The record was changed`,
} as const satisfies Readonly<Record<string, (id: number) => string>>;

export interface ChainViolation {
  readonly id: number;
  readonly kind: keyof typeof VIOLATION_TEXTS;
}

export const describeViolation = ({ id, kind }: ChainViolation): string =>
  `the hash chain is broken: ${VIOLATION_TEXTS[kind](id)}`;

export const isViolation = (result: ChainPosition | ChainViolation | undefined): result is ChainViolation =>
  result !== undefined && 'kind' in result;

/** Starts at the signed prune point, or before the first entry of a log that was never pruned. */
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

function verifyEntry(key: KeyObject, { id, hash }: ChainPosition, entry: LogEntry): ChainPosition | ChainViolation {
  const next = nextLogId(id, entry);
  if (entry.id <= id) return { id: entry.id, kind: 'before' };
  if (entry.id > next) return { id: id + 1, kind: 'missing' };
  return entry.id === next && entryHash(key, hash, entry.id, entry) === entry.hash
    ? { id: entry.id, hash: entry.hash }
    : { id: entry.id, kind: 'changed' };
}

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

export function finishVerification(
  { id, hash }: ChainPosition,
  { lastId, lastHash }: Pick<LogState, 'lastId' | 'lastHash'>,
): ChainViolation | undefined {
  if (id < lastId) return { id: id + 1, kind: 'end' };
  if (id > lastId) return { id: lastId + 1, kind: 'state' };
  return hash === lastHash ? undefined : { id, kind: 'last' };
}
