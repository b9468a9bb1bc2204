// Kysely's SQLite with what we need on top: transactions that take the write lock when they begin, and migrations inside a
// transaction.

import type { DatabaseConnection, Dialect, Driver } from 'kysely';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { SqliteConnection } from './connection.ts';

/** How a transaction begins: with the write lock, or only to read. */
type Begin = 'begin immediate' | 'begin';

/** One connection, given to one user at a time: a transaction is never seen half-done. */
class SingleConnectionDriver implements Driver {
  readonly #connection: SqliteConnection;
  readonly #begin: Begin;
  #lastUser: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(connection: SqliteConnection, begin: Begin) {
    this.#connection = connection;
    this.#begin = begin;
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

  async beginTransaction() {
    this.#connection.query(this.#begin);
  }

  async commitTransaction() {
    this.#connection.query('commit');
  }

  async rollbackTransaction() {
    // After a full disk SQLite has done so by itself, and to do it again would hide why.
    if (this.#connection.database.inTransaction) this.#connection.query('rollback');
  }

  async destroy() {
    this.#connection.database.close();
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export const sqliteDialect = (connection: SqliteConnection, begin: Begin = 'begin immediate'): Dialect => ({
  createAdapter: () => new TransactionalDdlAdapter(),
  createDriver: () => new SingleConnectionDriver(connection, begin),
  createIntrospector: db => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
