// The log: everything that happened, in one order for all who read it. Numbers have no gaps, and each entry's hash is made over the
// hash of the one before, with a key that the store does not hold in clear.

import { parseTimestamp } from '../timestamp.ts';
import type { OutboxEntry } from './outbox.ts';

export interface LogEntry extends OutboxEntry {
  readonly id: number;
  readonly hash: string;
}

/** Where the log was cut off: all before `firstId` is gone, and this is what its last entry had as its hash. */
export interface LogCut {
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
  readonly eventsFrom: number;
  readonly cut: LogCut | null;
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
export const isPositionKept = (
  position: number,
  { lastId, eventsFrom }: Pick<LogState, 'lastId' | 'eventsFrom'>,
): boolean => position >= eventsFrom - 1 && position <= lastId;

export const matchesFilter = (
  entry: Pick<OutboxEntry, 'cluster' | 'host' | 'operation'>,
  { cluster, host, operation }: LogFilter,
): boolean =>
  (cluster === undefined || entry.cluster === cluster) &&
  (host === undefined || entry.host === host) &&
  (operation === undefined || entry.operation === operation);
