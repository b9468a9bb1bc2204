// Kysely's PostgreSQL, whose failures say `StoreUnavailable` when it is PostgreSQL, or the way to it, that failed, and which plans a
// query that has a name once for each connection.

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

  async beginTransaction(
    connection: PostgresConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ) {
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
    // A PostgreSQL that does not answer is not waited for.
    await Promise.race([this.#pool.end(), delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
  }
}

/** Migrations take a lock that ends with their transaction (`migrate-postgres.ts`). */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock() {}

  override async releaseMigrationLock() {}
}

export const postgresDialect = (
  pool: pg.Pool,
  outageRetry = new OutageRetry(),
  metrics?: StoreMetrics,
): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => new PoolDriver(pool, outageRetry, metrics),
  createIntrospector: db => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});

// The numbers that are locked on a database, each for as long as a transaction lasts. All versions take the same, and no two things one.

/** Who brings the schema up to date. It is the one that Kysely takes. */
export const MIGRATION_LOCK = '3853314791062309107';
/** Who writes to the log. */
export const EVENT_LOG_LOCK = '4867353';

type AdvisoryLock = typeof MIGRATION_LOCK | typeof EVENT_LOG_LOCK;

/** Whether it is ours until the transaction ends; if not, another has it. */
export async function tryAdvisoryLock(db: Kysely<Tables>, lock: AdvisoryLock): Promise<boolean> {
  const taken = sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(lock)}) as taken`;
  return (await taken.execute(db)).rows[0]?.taken === true;
}

/** Waits until it is. */
export async function acquireAdvisoryLock(db: Kysely<Tables>, lock: AdvisoryLock): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(db);
}
