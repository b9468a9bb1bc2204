import Database from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { StoreUnavailable } from '../../domain/errors.ts';
import type { EngineTraits } from '../session.ts';

/** Lists of addresses come in many lengths; the oldest statements make room. */
const MAX_PREPARED = 500;

/** Locked for too long by another process, or the disk is full, gone or read-only. */
const AWAY = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/;

/** One connection to the database, with statements that are prepared once. */
export class SqliteConnection implements DatabaseConnection {
  readonly database: Database.Database;
  readonly #prepared = new Map<string, Database.Statement>();

  constructor(database: Database.Database) {
    this.database = database;
  }

  #prepare(sql: string): Database.Statement {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.database.prepare(sql);
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.delete(this.#prepared.keys().next().value ?? '');
    this.#prepared.set(sql, statement);
    return statement;
  }

  /** Answers at once, without a turn of the event loop. */
  query<Row>(sql: string, parameters: readonly unknown[] = []): { rows: Row[]; changes: number } {
    return this.#run(this.#prepare(sql), parameters);
  }

  #run<Row>(statement: Database.Statement, parameters: readonly unknown[]): { rows: Row[]; changes: number } {
    try {
      if (statement.reader) return { rows: statement.all(parameters) as Row[], changes: 0 };
      return { rows: [], changes: statement.run(parameters).changes };
    } catch (error) {
      throw error instanceof Database.SqliteError && AWAY.test(error.code)
        ? new StoreUnavailable(error)
        : error;
    }
  }

  /** Whoever reads outside of a transaction, or is in one, has the connection to itself: there is nothing to wait for. */
  readonly traits: EngineTraits = {
    hasRowLocks: false,
    prepare: ({ sql }) => {
      const statement = this.database.prepare(sql);
      return async values => this.#run(statement, values).rows;
    },
  };

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = this.query<Row>(sql, parameters);
    return { rows, numAffectedRows: BigInt(changes) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('SQLite answers are not streamed');
  }
}
