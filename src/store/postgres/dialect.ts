// Kysely's PostgreSQL, whose failures say `StoreUnavailable` when it is PostgreSQL, or the way to it, that failed, and which plans a
// query that has a name once for each connection.

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
import { isUnavailable } from './failures.ts';

async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw isUnavailable(error) ? new StoreUnavailable(error) : error;
  }
}

class PostgresConnection implements DatabaseConnection {
  readonly client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  async executeQuery<Row>(query: CompiledQuery & { readonly name?: string }): Promise<QueryResult<Row>> {
    const { sql: text, parameters, name } = query;
    const values = [...parameters];
    const result = await orUnavailable(this.client.query({ text, values, ...(name && { name }) }));
    return { rows: result.rows, numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("PostgreSQL's answers are not streamed");
  }

  async execute(text: string): Promise<void> {
    await orUnavailable(this.client.query(text));
  }
}

class PoolDriver implements Driver {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async init() {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(await orUnavailable(this.#pool.connect()));
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
    await connection.execute('rollback');
  }

  async releaseConnection({ client }: PostgresConnection) {
    client.release();
  }

  async destroy() {
    await this.#pool.end();
  }
}

export const postgresDialect = (pool: pg.Pool): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new PoolDriver(pool),
  createIntrospector: db => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});
