// The SQLite dialect of Kysely with transactions that take the write lock at their start, and transactional migrations.

import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { DatabaseConnection, Dialect, Driver } from 'kysely';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { StoreUnavailableError } from '../../domain/errors.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { SqliteConnection } from './connection.ts';

const MAX_WAIT_MS = 5000;
const RETRY_INTERVAL_MS = 5;

const isBusy = (error: unknown) =>
  error instanceof StoreUnavailableError &&
  error.cause instanceof Database.SqliteError &&
  error.cause.code.startsWith('SQLITE_BUSY');

/** `begin immediate` takes the write lock; `begin` only reads. */
export type BeginStatement = 'begin immediate' | 'begin';

interface SqliteDialectOptions {
  readonly begin?: BeginStatement;
  /** Measures how long a transaction has waited for the lock. */
  readonly lockClock?: Pick<Clock, 'monotonicMs'>;
}

/** One connection with one user at a time, so no other user sees an open transaction. */
class SingleConnectionDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #begin: BeginStatement;
  readonly #lockClock: Pick<Clock, 'monotonicMs'>;
  #lastUser: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(connection: SqliteConnection, { begin, lockClock }: Required<SqliteDialectOptions>) {
    this.#connection = connection;
    this.#begin = begin;
    this.#lockClock = lockClock;
  }

  async init() {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const previous = this.#lastUser;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lastUser = promise;
    await previous;
    this.#release = resolve;
    return this.#connection;
  }

  async releaseConnection() {
    this.#release();
  }

  /** A local command may hold the lock. This server serves other requests while it waits. */
  async beginTransaction() {
    const deadlineMs = this.#lockClock.monotonicMs() + MAX_WAIT_MS;
    for (;;) {
      try {
        this.#connection.query(this.#begin);
        return;
      } catch (error) {
        if (!isBusy(error) || this.#lockClock.monotonicMs() > deadlineMs) throw error;
        await delay(RETRY_INTERVAL_MS);
      }
    }
  }

  async commitTransaction() {
    this.#connection.commit();
  }

  async rollbackTransaction() {
    this.#connection.rollback();
  }

  /** Waits for the running transaction, up to a maximum time. */
  async destroy() {
    const timeout = new AbortController();
    await Promise.race([this.acquireConnection(), delay(MAX_WAIT_MS, undefined, { signal: timeout.signal })]);
    timeout.abort();
    this.#connection.close();
    this.#release();
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export const sqliteDialect = (
  connection: SqliteConnection,
  { begin = 'begin immediate', lockClock = systemClock }: SqliteDialectOptions = {},
): Dialect => ({
  createAdapter: () => new TransactionalDdlAdapter(),
  createDriver: () => new SingleConnectionDriver(connection, { begin, lockClock }),
  createIntrospector: db => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
