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
export const hashOf = (key: KeyObject, before: string, id: number, entry: OutboxEntry): string =>
  hmac(
    key,
    JSON.stringify([
      ...[before, id, entry.type, entry.subject, entry.actor, entry.address, entry.requestId, entry.at],
      ...[entry.cluster, entry.host, entry.operation, entry.dataJson],
    ]),
  );

/** What signs that everything before an entry was cut off. It is no hash of an entry: those are over lists. */
export const macOfCut = (key: KeyObject, { firstId, hash, at }: Omit<LogPrunePoint, 'mac'>): string =>
  hmac(key, JSON.stringify({ first_id: firstId, hash, at }));

/** Entries as the next ones of the log, and the state of the log with them. */
export function chained(
  key: KeyObject,
  state: LogState,
  entries: readonly OutboxEntry[],
): { readonly added: readonly LogEntry[]; readonly state: LogState } {
  const added: LogEntry[] = [];
  let { lastId, lastHash, firstReadableId } = state;
  for (const entry of entries) {
    lastId = nextLogId(lastId, entry);
    lastHash = hashOf(key, lastHash, lastId, entry);
    if (entry.type === 'service.restored') firstReadableId = lastId;
    added.push({ ...entry, id: lastId, hash: lastHash });
  }
  return { added, state: { ...state, lastId, lastHash, firstReadableId } };
}
