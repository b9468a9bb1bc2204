// Brings the schema of a PostgreSQL up to date while older servers are at work on it. What must hold: one server does it at a time, in
// one transaction; it may take as long as it takes; but a statement that waits for others lets them go on soon, since whoever comes
// after it waits behind it.

import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { LastingError } from '../../lib/errors/lasting-error.ts';
import type { Migrations } from '../migrate.ts';
import { isOutdated, migrate, UnusableSchema } from '../migrate.ts';
import type { Tables } from '../tables/tables.ts';
import { MIGRATION_LOCK, tryLock, waitForLock } from './advisory-locks.ts';
import { postgresDialect } from './dialect.ts';
import type { FactsRow } from './examine-postgres.ts';
import { factsOf, unusable } from './examine-postgres.ts';
import { isInTheWay } from './failures.ts';
import { openPool } from './pool.ts';

const PAUSE_MS = 1000;

export interface MigrationOptions {
  /** Called when it takes longer, with the reason. */
  readonly tell?: (message: string) => void;
  /** For how long one statement waits for others; shorter than the patience of those who wait behind it (`session-settings.ts`). */
  readonly lockWithinMs?: number;
  /** For how long it is tried again while others are in the way. */
  readonly withinMs?: number;
  readonly known?: Migrations | undefined;
}

async function requireUsable(db: Kysely<Tables>): Promise<void> {
  const [reason] = unusable(await factsOf(question => sql.raw<FactsRow>(question).execute(db)));
  if (reason !== undefined) throw new LastingError(reason);
}

const set = (name: string, value: string) => sql`select set_config(${name}, ${value}, true)`;

/** Until the transaction ends no other server migrates. */
async function takeTurn(
  transaction: Kysely<Tables>,
  { tell, lockWithinMs }: Required<Pick<MigrationOptions, 'tell' | 'lockWithinMs'>>,
): Promise<void> {
  await set('statement_timeout', '0').execute(transaction);
  await set('idle_in_transaction_session_timeout', '30s').execute(transaction);
  if (!(await tryLock(transaction, MIGRATION_LOCK))) {
    tell('another server is migrating the store; waiting for it');
    await set('lock_timeout', '0').execute(transaction);
    await waitForLock(transaction, MIGRATION_LOCK);
  }
  await set('lock_timeout', String(lockWithinMs)).execute(transaction);
}

async function migrateAlone(
  url: string,
  { tell = () => {}, lockWithinMs = 2000, withinMs = 60_000, known }: MigrationOptions,
): Promise<void> {
  const db = new Kysely<Tables>({ dialect: postgresDialect(openPool(url, { size: 1, answerWithinMs: 0 })) });
  const untilMs = performance.now() + withinMs;
  const once = () =>
    db.transaction().execute(async transaction => {
      await takeTurn(transaction, { tell, lockWithinMs });
      await migrate(transaction, known);
    });
  try {
    for (;;) {
      try {
        return await once();
      } catch (error) {
        if (!isInTheWay(error)) throw error;
        if (performance.now() > untilMs)
          throw new UnusableSchema(
            'the store migration failed and was rolled back, because other transactions kept its tables locked; look for long transactions in pg_stat_activity, then start again',
          );
        tell('the store migration is blocked by locks on its tables; retrying');
        await delay(PAUSE_MS);
      }
    }
  } finally {
    await db.destroy();
  }
}

/** `db` is what the server itself will use; what has to be changed is changed on a connection of its own. */
export async function migratePostgres(
  url: string,
  db: Kysely<Tables>,
  options: MigrationOptions,
): Promise<void> {
  await requireUsable(db);
  if (await isOutdated(db, options.known)) await migrateAlone(url, options);
}
