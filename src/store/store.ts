// The store: every record, behind one interface. Repositories are written once, for both engines; `sqlite/` and `postgres/` hold
// only what differs. What must hold: what a transaction answered is on disk; what it refused left no trace. Every call throws
// `StoreUnavailable` when the store cannot be reached.

import type { DriverMemory } from '../domain/driver-record.ts';
import type { Signal } from '../domain/events/signal.ts';
import type { ReadRepositories, Repositories } from './repositories/index.ts';

export interface PoolStats {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Store {
  /** Whether other servers may be at work on it. */
  readonly isShared: boolean;
  readonly reads: ReadRepositories;
  /**
   * Runs `work` in one transaction and answers what it answers, once that is durable. A Refusal or an exception rolls it back.
   * It may run more than once, so it has no effects but on the records; and it has no transaction inside.
   */
  transaction<T>(run: (records: Repositories) => Promise<T>): Promise<T>;
  /**
   * Runs `work` with reads that all see the same moment. It is for lists that are read in parts, and lets others in between; on
   * SQLite another snapshot waits for this one. It may run more than once.
   */
  snapshot<T>(run: (reads: ReadRepositories) => Promise<T>): Promise<T>;
  /** Hears of what this server and others have committed. Answers what ends that. */
  listen(listener: (signal: Signal) => void): () => void;
  /** Tells those who listen, on this server and on others, what is in no transaction. It may be lost. */
  notify(signals: Iterable<Signal>): void;
  /** Connections to the store, and who waits for one; missing where each has one of its own. */
  poolStats?(): PoolStats;
  /** Commits a transaction that changes nothing. Throws `StoreUnavailable` when nothing can be written, as on a full disk. */
  checkWritable(): Promise<void>;
  /** Whether the schema has every migration that this version knows. It may have more, made by a newer one. */
  hasCurrentSchema(): Promise<boolean>;
  close(): Promise<void>;
}

type Listener = (signal: Signal) => void;

/** Those who listen on this server. */
export class SignalBus {
  readonly #listeners = new Set<Listener>();

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(signals: Iterable<Signal>): void {
    for (const signal of signals) for (const listener of this.#listeners) listener(signal);
  }
}

/** Throws, in the transaction of a write, when that must not be any more. */
export type WriteFence = (records: Repositories) => Promise<void>;

/** What the driver of one record remembers; each change is a transaction of its own. */
export function createDriverMemory(store: Store, scope: string, fence?: WriteFence): DriverMemory {
  const write = <T>(run: (records: Repositories) => Promise<T>) =>
    store.transaction(async records => {
      await fence?.(records);
      return run(records);
    });
  return {
    get: key => store.reads.driverMemory.get(scope, key),
    compareAndSet: (key, expected, value) =>
      write(records => records.driverMemory.compareAndSet(scope, key, expected, value)),
    delete: key => write(records => records.driverMemory.delete(scope, key)),
  };
}
