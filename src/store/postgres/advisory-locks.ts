// The numbers that are locked on a database, each for as long as a transaction lasts. All versions take the same, and no two things one.

import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '../tables/tables.ts';

/** Who brings the schema up to date. It is the one that Kysely takes. */
export const MIGRATION_LOCK = '3853314791062309107';
/** Who writes to the log. */
export const LOG_LOCK = '4867353';

type AdvisoryLock = typeof MIGRATION_LOCK | typeof LOG_LOCK;

/** Whether it is ours until the transaction ends; if not, another has it. */
export async function tryLock(db: Kysely<Tables>, lock: AdvisoryLock): Promise<boolean> {
  const taken = sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(lock)}) as taken`;
  return (await taken.execute(db)).rows[0]?.taken === true;
}

/** Waits until it is. */
export async function waitForLock(db: Kysely<Tables>, lock: AdvisoryLock): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(db);
}
