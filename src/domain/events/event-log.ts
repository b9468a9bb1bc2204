// All events in one order for all readers, without gaps in the IDs. The hash of an entry covers the hash of the
// previous entry, keyed with a key that the store holds only encrypted.

import type { Event } from '../../contract/event-payloads.ts';
import { parseTimestamp } from '../timestamp.ts';
import type { EventType } from '../vocabulary.ts';
import { eventResource, NAMED_RESOURCES } from '../vocabulary.ts';
import type { OutboxEntry } from './domain-event.ts';

export interface LogEntry extends OutboxEntry {
  readonly id: number;
  readonly hash: string;
}

/** Entries before `firstId` are deleted; `hash` is the hash of the last of them. */
export interface LogPrunePoint {
  readonly firstId: number;
  readonly hash: string;
  readonly at: string;
  /** MAC over the other fields with the key of the hash chain. */
  readonly mac: string;
}

export interface LogState {
  /** 0: the log is empty. */
  readonly lastId: number;
  readonly lastHash: string;
  /** ID of the oldest entry that is kept, or of the next entry if the log is empty. */
  readonly firstId: number;
  /** A reader positioned before `firstReadableId - 1` has missed events. */
  readonly firstReadableId: number;
  readonly prunePoint: LogPrunePoint | null;
}

export interface LogFilter {
  readonly cluster?: string | undefined;
  readonly host?: string | undefined;
  readonly operation?: string | undefined;
}

/**
 * After a restore, the IDs assigned after the backup are unknown. IDs continue with the microseconds since 1970, which
 * a counter never reaches.
 */
export const nextLogId = (lastId: number, { type, at }: Pick<OutboxEntry, 'type' | 'at'>): number =>
  type === 'service.restored' ? Math.max(lastId + 1, parseTimestamp(at) * 1000) : lastId + 1;

export const isPositionReadable = (
  position: number,
  { lastId, firstReadableId }: Pick<LogState, 'lastId' | 'firstReadableId'>,
): boolean => position >= firstReadableId - 1 && position <= lastId;

export const matchesFilter = (
  entry: Pick<OutboxEntry, 'cluster' | 'host' | 'operation'>,
  { cluster, host, operation }: LogFilter,
): boolean =>
  (cluster === undefined || entry.cluster === cluster) &&
  (host === undefined || entry.host === host) &&
  (operation === undefined || entry.operation === operation);

/** The actor and the IP address are only in the audit log. */
export const toEvent = (entry: LogEntry): Event => {
  const { id, type, at, cluster, host, operation, subject, dataJson } = entry;
  const name = NAMED_RESOURCES.has(eventResource(type)) ? { name: subject } : {};
  return { id, type, at, cluster, host, operation, data: { ...name, ...JSON.parse(dataJson) } };
};

const LOGIN_INVALIDATING_TYPES: ReadonlySet<EventType> = new Set([
  'account.changed',
  'account.password_changed',
  'account.removed',
]);

export const invalidatesLogins = (type: EventType): boolean => LOGIN_INVALIDATING_TYPES.has(type);

export function endedSessionIds({ type, dataJson }: Pick<LogEntry, 'type' | 'dataJson'>): readonly string[] {
  if (type !== 'account.signed_out') return [];
  const { sessions }: { readonly sessions?: unknown } = JSON.parse(dataJson);
  return Array.isArray(sessions) ? sessions.filter(id => typeof id === 'string') : [];
}
