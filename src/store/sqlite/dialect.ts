// Kysely's SQLite with what we need on top: statements prepared once, transactions that take the write lock when they begin,
// and migrations inside a transaction.

import Database from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { StoreUnavailable } from '../../domain/errors.ts';

/** Lists of addresses come in many lengths; the oldest statements make room. */
const MAX_PREPARED = 500;

/** Locked for too long by another process, or the disk is full, gone or read-only. */
const AWAY = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/;

function orUnavailable<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Database.SqliteError && AWAY.test(error.code)
      ? new StoreUnavailable(error)
      : error;
  }
}

class Connection implements DatabaseConnection {
  readonly #database: Database.Database;
  readonly #prepared = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  #prepare(sql: string): Database.Statement {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.delete(this.#prepared.keys().next().value ?? '');
    this.#prepared.set(sql, statement);
    return statement;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return orUnavailable(() => {
      const statement = this.#prepare(sql);
      if (statement.reader) return { rows: statement.all(...parameters) as Row[] };
      const { changes } = statement.run(...parameters);
      return { rows: [], numAffectedRows: BigInt(changes) };
    });
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('SQLite answers are not streamed');
  }

  execute(sql: string) {
    orUnavailable(() => this.#prepare(sql).run());
  }
}

/** One connection, given to one user at a time: a transaction is never seen half-done. */
class SingleConnectionDriver implements Driver {
  readonly #database: Database.Database;
  readonly #connection: Connection;
  #lastUser: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(database: Database.Database) {
    this.#database = database;
    this.#connection = new Connection(database);
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
    this.#connection.execute('begin immediate');
  }

  async commitTransaction() {
    this.#connection.execute('commit');
  }

  async rollbackTransaction() {
    // After a full disk SQLite has done so by itself, and to do it again would hide why.
    if (this.#database.inTransaction) this.#connection.execute('rollback');
  }

  async destroy() {
    this.#database.close();
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export const sqliteDialect = (database: Database.Database): Dialect => ({
  createAdapter: () => new TransactionalDdlAdapter(),
  createDriver: () => new SingleConnectionDriver(database),
  createIntrospector: db => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});
