// The store: every record, behind one interface. Repositories are written once, for both engines; `sqlite/` and `postgres/` hold
// only what differs. What must hold: what a transaction answered is on disk; what it refused left no trace. Every call throws
// `StoreUnavailable` when the store cannot be reached.

import type { Signal } from '../domain/events/signal.ts';
import type { Reads, Records } from './records.ts';

export interface PoolUse {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Store {
  /** Whether other servers may be at work on it. */
  readonly isShared: boolean;
  readonly reads: Reads;
  /**
   * Runs `work` in one transaction and answers what it answers, once that is durable. A Refusal or an exception rolls it back.
   * It may run more than once, so it has no effects but on the records; and it has no transaction inside.
   */
  transaction<T>(work: (records: Records) => Promise<T>): Promise<T>;
  /**
   * Runs `work` with reads that all see the same moment. It is for lists that are read in parts, and lets others in between; on
   * SQLite another snapshot waits for this one. It may run more than once.
   */
  snapshot<T>(work: (reads: Reads) => Promise<T>): Promise<T>;
  /** Hears of what this server and others have committed. Answers what ends that. */
  listen(listener: (signal: Signal) => void): () => void;
  /** Tells those who listen, on this server and on others, what is in no transaction. It may be lost. */
  announce(signals: Iterable<Signal>): void;
  /** Connections to the store, and who waits for one; missing where each has one of its own. */
  poolUse?(): PoolUse;
  /** Commits a transaction that changes nothing. Throws `StoreUnavailable` when nothing can be written, as on a full disk. */
  checkWritable(): Promise<void>;
  /** Whether the schema has every migration that this version knows. It may have more, made by a newer one. */
  hasCurrentSchema(): Promise<boolean>;
  close(): Promise<void>;
}
