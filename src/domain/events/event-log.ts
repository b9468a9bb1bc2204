// The log: everything that happened, in one order for all who read it. Numbers have no gaps, and each entry's hash is made over the
// hash of the one before, with a key that the store does not hold in clear.

import { parseTimestamp } from '../timestamp.ts';
import type { EventResource, EventType } from '../vocabulary.ts';
import { eventResource } from '../vocabulary.ts';
import type { OutboxEntry } from './domain-event.ts';

export interface LogEntry extends OutboxEntry {
  readonly id: number;
  readonly hash: string;
}

/** Where the log was cut off: all before `firstId` is gone, and this is what its last entry had as its hash. */
export interface LogPrunePoint {
  readonly firstId: number;
  readonly hash: string;
  readonly at: string;
  /** Made over the rest with the key of the chain. */
  readonly mac: string;
}

export interface LogState {
  /** 0: it is empty. */
  readonly lastId: number;
  readonly lastHash: string;
  /** The oldest that is kept, or that will be. */
  readonly firstId: number;
  /** Whoever is at an earlier position than the one before this cannot be told all that came after. */
  readonly firstReadableId: number;
  readonly prunePoint: LogPrunePoint | null;
}

/** Which entries somebody wants. */
export interface LogFilter {
  readonly cluster?: string | undefined;
  readonly host?: string | undefined;
  readonly operation?: string | undefined;
}

/**
 * The number of the entry after `lastId`. After a restore nobody knows which numbers were given out since the backup: they go on with the
 * microseconds since 1970, which are ahead of any number that was ever counted up to.
 */
export const nextLogId = (lastId: number, { type, at }: Pick<OutboxEntry, 'type' | 'at'>): number =>
  type === 'service.restored' ? Math.max(lastId + 1, parseTimestamp(at) * 1000) : lastId + 1;

/** Whether everything after this position can still be told. */
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

/** An entry of the log as those see it who follow events, in the words of the wire. Who did it, and from where, is for the audit. */
export interface Event {
  readonly id: number;
  readonly type: EventType;
  readonly at: string;
  readonly cluster: string | null;
  readonly host: string | null;
  readonly operation: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Nouns of events whose record no other field names. */
const NAMED_RESOURCES: ReadonlySet<EventResource> = new Set([
  'account',
  'container_manager',
  'network',
  'token',
  'webhook',
]);

export const toEvent = (entry: LogEntry): Event => {
  const { id, type, at, cluster, host, operation, subject, dataJson } = entry;
  const name = NAMED_RESOURCES.has(eventResource(type)) ? { name: subject } : {};
  return { ...{ id, type, at, cluster, host, operation }, data: { ...name, ...JSON.parse(dataJson) } };
};

/** Before an account is made anew it is removed. That a login failed changes nothing. */
const LOGIN_INVALIDATING_TYPES: ReadonlySet<EventType> = new Set([
  'account.changed',
  'account.password_changed',
  'account.removed',
]);

/** Whether who was let in before may not be let in now. */
export const invalidatesLogins = (type: EventType): boolean => LOGIN_INVALIDATING_TYPES.has(type);

/** The ids of the sessions that somebody has ended; none for what is no sign-out. */
export function endedSessionIds({ type, dataJson }: Pick<LogEntry, 'type' | 'dataJson'>): readonly string[] {
  if (type !== 'account.signed_out') return [];
  const { sessions }: { readonly sessions?: unknown } = JSON.parse(dataJson);
  return Array.isArray(sessions) ? sessions.filter(id => typeof id === 'string') : [];
}
