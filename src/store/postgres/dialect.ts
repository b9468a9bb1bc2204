// The PostgreSQL dialect of Kysely with two differences: failures of PostgreSQL or the network become
// `StoreUnavailableError`, and named queries are planned once per connection.

import { setTimeout as delay } from 'node:timers/promises';
import type { Dialect, Driver, Kysely, TransactionSettings } from 'kysely';
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type pg from 'pg';
import type { StoreMetrics } from '../store-metrics.ts';
import type { Tables } from '../tables/tables.ts';
import { PostgresConnection } from './connection.ts';
import { OutageRetry } from './errors.ts';

const CLOSE_TIMEOUT_MS = 1000;

class PoolDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #outageRetry: OutageRetry;
  readonly #metrics: StoreMetrics | undefined;

  constructor(pool: pg.Pool, outageRetry: OutageRetry, metrics: StoreMetrics | undefined) {
    this.#pool = pool;
    this.#outageRetry = outageRetry;
    this.#metrics = metrics;
  }

  async init() {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(this.#pool, this.#outageRetry, this.#metrics);
  }

  async beginTransaction(connection: PostgresConnection, { isolationLevel, accessMode }: TransactionSettings) {
    const isolation = isolationLevel ? `isolation level ${isolationLevel} ` : '';
    await connection.begin(`${isolation}${accessMode ?? ''}`, accessMode === 'read only');
  }

  async commitTransaction(connection: PostgresConnection) {
    await connection.commit();
  }

  async rollbackTransaction(connection: PostgresConnection) {
    await connection.rollback();
  }

  async releaseConnection(connection: PostgresConnection) {
    connection.release();
  }

  async destroy() {
    // Do not wait for a PostgreSQL that does not respond.
    await Promise.race([this.#pool.end(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

/** `migrate-postgres.ts` takes a transaction-level lock instead. */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock() {}

  override async releaseMigrationLock() {}
}

export const postgresDialect = (pool: pg.Pool, outageRetry = new OutageRetry(), metrics?: StoreMetrics): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => new PoolDriver(pool, outageRetry, metrics),
  createIntrospector: db => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

// Keys of transaction-level advisory locks. They must be unique, and the same in all versions.

/** The key that Kysely uses. */
export const MIGRATION_LOCK = '3853314791062309107';
/** Held by the server that writes to the event log. */
export const EVENT_LOG_LOCK = '4867353';

type AdvisoryLock = typeof MIGRATION_LOCK | typeof EVENT_LOG_LOCK;

export async function tryAdvisoryLock(db: Kysely<Tables>, lock: AdvisoryLock): Promise<boolean> {
  const query = sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(lock)}) as locked`;
  return (await query.execute(db)).rows[0]?.locked === true;
}

export async function acquireAdvisoryLock(db: Kysely<Tables>, lock: AdvisoryLock): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(db);
}
