// Kysely's PostgreSQL, whose failures say `StoreUnavailable` when it is PostgreSQL, or the way to it, that failed, and which plans a
// query that has a name once for each connection.

import { setTimeout as delay } from 'node:timers/promises';
import type { Dialect, Driver, TransactionSettings } from 'kysely';
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type pg from 'pg';
import type { StoreMeter } from '../meter.ts';
import { PostgresConnection } from './connection.ts';
import { Outage } from './outage.ts';

const CLOSE_WITHIN_MS = 1000;

class PoolDriver implements Driver {
  readonly #pool: pg.Pool;
  readonly #outage: Outage;
  readonly #meter: StoreMeter | undefined;

  constructor(pool: pg.Pool, outage: Outage, meter: StoreMeter | undefined) {
    this.#pool = pool;
    this.#outage = outage;
    this.#meter = meter;
  }

  async init() {}

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(this.#pool, this.#outage, this.#meter);
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
    await Promise.race([this.#pool.end(), delay(CLOSE_WITHIN_MS, undefined, { ref: false })]);
  }
}

/** Migrations take a lock that ends with their transaction (`migrate-postgres.ts`). */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock() {}

  override async releaseMigrationLock() {}
}

export const postgresDialect = (pool: pg.Pool, outage = new Outage(), meter?: StoreMeter): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => new PoolDriver(pool, outage, meter),
  createIntrospector: db => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
});
