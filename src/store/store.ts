// The store of all records. Repositories work with both engines; `sqlite/` and `postgres/` contain only the
// differences. When a transaction resolves, its result is on disk. Every call throws `StoreUnavailableError`
// if the store cannot be reached.

import type { DriverMemory } from '../domain/driver-record.ts';
import type { Signal } from '../domain/events/signal.ts';
import type { ReadRepositories, Repositories } from './repositories/index.ts';

export interface PoolStats {
  readonly busy: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface Store {
  /** Whether other servers can use the store. */
  readonly isShared: boolean;
  readonly reads: ReadRepositories;
  /**
   * Runs `run` in one transaction and returns its result after the commit. An `AppError` as the result, or an
   * exception, rolls it back. `run` can be called more than once, so it must only have effects on the
   * records. Transactions cannot be nested.
   */
  transaction<T>(run: (records: Repositories) => Promise<T>): Promise<T>;
  /**
   * Runs `run` with reads that all see the same state, for lists that are read in pages. It does not block
   * other calls, but on SQLite another snapshot waits for it. `run` can be called more than once.
   */
  snapshot<T>(run: (reads: ReadRepositories) => Promise<T>): Promise<T>;
  listen(listener: (signal: Signal) => void): () => void;
  /** Sends signals outside a transaction, to this server and others. They can be lost. */
  notify(signals: Iterable<Signal>): void;
  poolStats?(): PoolStats;
  /** Throws `StoreUnavailableError` if the store cannot write, for example because the disk is full. */
  checkWritable(): Promise<void>;
  /** Whether the schema has every migration of this version. It can have more, of a newer version. */
  hasCurrentSchema(): Promise<boolean>;
  close(): Promise<void>;
}

type Listener = (signal: Signal) => void;

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

/** Throws inside the transaction if the caller is no longer allowed to write. */
export type WriteFence = (records: Repositories) => Promise<void>;

/** The memory of the driver of one record. Each change is a separate transaction. */
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
