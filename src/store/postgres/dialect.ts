// Kysely's PostgreSQL, whose failures say `StoreUnavailable` when it is PostgreSQL, or the way to it, that failed, and which plans a
// query that has a name once for each connection.

import { setTimeout as delay } from 'node:timers/promises';
import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type pg from 'pg';
import { StoreUnavailable } from '../../domain/errors.ts';
import { isConnectionFailure, isUnavailable } from './failures.ts';

const CLOSE_WITHIN_MS = 1000;

class PostgresConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  /** Nobody knows what is still to come on it. */
  #isBroken = false;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async #query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    try {
      return await this.#client.query(config);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#isBroken = isConnectionFailure(error);
      throw new StoreUnavailable(error);
    }
  }

  async executeQuery<Row>(query: CompiledQuery & { readonly name?: string }): Promise<QueryResult<Row>> {
    const { sql: text, parameters, name } = query;
    const values = [...parameters];
    const result = await this.#query({ text, values, ...(name && { name }) });
    return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("PostgreSQL's answers are not streamed");
  }

  async execute(text: string): Promise<void> {
    await this.#query({ text });
  }

  /** What is broken is as good as rolled back: PostgreSQL does so when the connection ends. */
  async rollback(): Promise<void> {
    if (!this.#isBroken) await this.execute('rollback');
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }
}

class PoolDriver implements Driver {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async init() {}

  async acquireConnection(): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await this.#pool.connect());
    } catch (error) {
      throw isUnavailable(error) ? new StoreUnavailable(error) : error;
    }
  }

  async beginTransaction(
    connection: PostgresConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ) {
    const isolation = isolationLevel ? ` isolation level ${isolationLevel}` : '';
    await connection.execute(`begin${isolation} ${accessMode ?? ''}`);
  }

  async commitTransaction(connection: PostgresConnection) {
    await connection.execute('commit');
  }

  async rollbackTransaction(connection: PostgresConnection) {
    await connection.rollback();
  }

  async releaseConnection(connection: PostgresConnection) {
    connection.release();
  }

  async destroy() {
    // A PostgreSQL that does not answer is not waited for.
    await Promise.race([this.#pool.end(), delay(CLOSE_WITHIN_MS, undefined, { ref: false })]);
  }
}

export const postgresDialect = (pool: pg.Pool): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PoolDriver(pool),
  createIntrospector: db => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});
