import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { inTransaction } from '../in-transaction.ts';
import { migrate, requireCurrentSchema } from '../migrate.ts';
import { Records } from '../records.ts';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { EngineTraits } from '../traits.ts';
import { isBusy, isConnectionFailure, isWorthRepeating } from './failures.ts';
import { openPool } from './pool.ts';

const TRAITS: EngineTraits = { hasRowLocks: true };
const MAX_ATTEMPTS = 10;
const LONGEST_PAUSE_MS = 500;

/** Deadlocks and serialization failures are no one's fault: the transaction is run again, a random moment later. */
async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || !isWorthRepeating(error)) throw error;
      await delay(Math.random() * Math.min(LONGEST_PAUSE_MS, 10 * 2 ** attempt));
    }
  }
}

/** Opens the store that several servers share. Whoever only visits takes the schema as it is. */
export async function openPostgres(url: string, { visiting = false } = {}): Promise<Store> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: openPool(url) }) });
  try {
    await (visiting ? requireCurrentSchema(db) : migrate(db));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    records: new Records(db, TRAITS),
    transaction: work => repeated(() => inTransaction(db, TRAITS, work)),
    ping: async () => {
      await sql`select 1`.execute(db);
    },
    isUnavailable: error => isConnectionFailure(error) || isBusy(error),
    close: () => db.destroy(),
  };
}
