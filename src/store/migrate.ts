import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Migrator } from 'kysely/migration';
import { StoreDamaged, StoreUnavailable } from '../domain/errors.ts';
import { LastingError } from '../lib/errors/lasting-error.ts';
import { PlainError } from '../lib/errors/plain-error.ts';
import { migrations } from './migrations/index.ts';
import type { Tables } from './tables/tables.ts';

/** The schema cannot be used by this version, and was left as it is. */
export class UnusableSchema extends PlainError {}

/** It has to be brought up to date first, which a start of the service does. */
export class OutdatedSchema extends UnusableSchema {}

/** It is of a newer version, and stays so. */
export class NewerSchema extends LastingError {}

export type Migrations = Readonly<Record<string, Migration>>;

/** The name of the newest that this version knows. */
export const NEWEST_SCHEMA = Object.keys(migrations).at(-1) ?? '';

/** Whether migrations are missing. Throws when the schema has some that this version does not know. */
export async function isOutdated(db: Kysely<Tables>, known: Migrations = migrations): Promise<boolean> {
  const done = await namesDone(db);
  refuseNewer(done, known);
  return !isComplete(done, known);
}

/** Brings the schema up to date. Whoever calls it keeps others from doing the same. */
export async function migrate(db: Kysely<Tables>, known: Migrations = migrations): Promise<void> {
  if (!(await isOutdated(db, known))) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...known }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (error instanceof StoreUnavailable) throw error;
  const failed =
    results?.find(result => result.status === 'Error')?.migrationName ?? 'before the first migration';
  throw new Error(`the store could not be brought up to date (${failed})`, { cause: error });
}

/** Throws unless the schema is the one that this version knows. */
export async function requireCurrentSchema(db: Kysely<Tables>): Promise<void> {
  if (await isOutdated(db)) {
    throw new OutdatedSchema('the store is empty or of an older version; start the service on it first');
  }
}

/** Whether the schema has all that this version knows; asked often, so it costs one small select. */
export async function hasCurrentSchema(db: Kysely<Tables>): Promise<boolean> {
  try {
    return isComplete(await readNames(db));
  } catch (error) {
    if (error instanceof StoreUnavailable && !(error instanceof StoreDamaged)) throw error;
    // A store without this table is empty.
    return isComplete(await namesDone(db));
  }
}

const isComplete = (done: readonly string[], known: Migrations = migrations) =>
  Object.keys(known).every(name => done.includes(name));

async function readNames(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(row => row.name);
}

async function namesDone(db: Kysely<Tables>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(table => table.name === 'kysely_migration') ? readNames(db) : [];
}

function refuseNewer(done: readonly string[], known: Migrations) {
  const unknown = done.find(name => !(name in known));
  if (unknown === undefined) return;
  throw new NewerSchema(
    `the store was written by a newer Hostler (it has the migration ${unknown}); start that version or a later one`,
  );
}
