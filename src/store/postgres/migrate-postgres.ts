// Migrates the schema while older servers use it. One server at a time does it, in one transaction without a time
// limit. But its statements must not wait long for locks, because all later statements queue behind them.

import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { PermanentError } from '../../lib/errors.ts';
import type { Migrations } from '../migrate.ts';
import { hasPendingMigrations, migrate, StoreSchemaError } from '../migrate.ts';
import type { Tables } from '../tables/tables.ts';
import { acquireAdvisoryLock, MIGRATION_LOCK, postgresDialect, tryAdvisoryLock } from './dialect.ts';
import { isLockConflict } from './errors.ts';
import type { PropertiesRow } from './inspect-postgres.ts';
import { findIncompatibilities, readPostgresProperties } from './inspect-postgres.ts';
import { createPool } from './pool.ts';

const RETRY_DELAY_MS = 1000;

export interface MigrationOptions {
  readonly onWarning?: (message: string) => void;
  /** Lock timeout of one statement. Shorter than the timeouts of the statements behind it (`pool.ts`). */
  readonly lockTimeoutMs?: number;
  /** How long a migration that is blocked by locks is retried. */
  readonly timeoutMs?: number;
  readonly supported?: Migrations | undefined;
}

async function assertCompatible(db: Kysely<Tables>): Promise<void> {
  const [reason] = findIncompatibilities(
    await readPostgresProperties(text => sql.raw<PropertiesRow>(text).execute(db)),
  );
  if (reason !== undefined) throw new PermanentError(reason);
}

const setConfig = (name: string, value: string) => sql`select set_config(${name}, ${value}, true)`;

async function acquireMigrationLock(
  transaction: Kysely<Tables>,
  { onWarning, lockTimeoutMs }: Required<Pick<MigrationOptions, 'onWarning' | 'lockTimeoutMs'>>,
): Promise<void> {
  await setConfig('statement_timeout', '0').execute(transaction);
  await setConfig('idle_in_transaction_session_timeout', '30s').execute(transaction);
  if (!(await tryAdvisoryLock(transaction, MIGRATION_LOCK))) {
    onWarning('another server is migrating the store; waiting for it');
    await setConfig('lock_timeout', '0').execute(transaction);
    await acquireAdvisoryLock(transaction, MIGRATION_LOCK);
  }
  await setConfig('lock_timeout', String(lockTimeoutMs)).execute(transaction);
}

async function runMigrations(
  url: string,
  { onWarning = () => {}, lockTimeoutMs = 2000, timeoutMs = 60_000, supported }: MigrationOptions,
): Promise<void> {
  const db = new Kysely<Tables>({
    dialect: postgresDialect(createPool(url, { size: 1, responseTimeoutMs: 0 })),
  });
  const deadlineMs = performance.now() + timeoutMs;
  const runOnce = () =>
    db.transaction().execute(async transaction => {
      await acquireMigrationLock(transaction, { onWarning, lockTimeoutMs });
      await migrate(transaction, supported);
    });
  try {
    for (;;) {
      try {
        return await runOnce();
      } catch (error) {
        if (!isLockConflict(error)) throw error;
        if (performance.now() > deadlineMs)
          throw new StoreSchemaError(
            'the store migration failed and was rolled back, because other transactions kept its tables locked; look for long transactions in pg_stat_activity, then start again',
          );
        onWarning('the store migration is blocked by locks on its tables; retrying');
        await delay(RETRY_DELAY_MS);
      }
    }
  } finally {
    await db.destroy();
  }
}

/** `db` is the pool of the server. Migrations run on a separate connection. */
export async function migratePostgres(url: string, db: Kysely<Tables>, options: MigrationOptions): Promise<void> {
  await assertCompatible(db);
  if (await hasPendingMigrations(db, options.supported)) await runMigrations(url, options);
}
