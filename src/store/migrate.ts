import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Migrator } from 'kysely/migration';
import { StoreDamagedError, StoreUnavailableError } from '../domain/errors.ts';
import { LastingError } from '../lib/errors/lasting-error.ts';
import { PlainError } from '../lib/errors/plain-error.ts';
import { migrations } from './migrations/index.ts';
import { isPostgres } from './migrations/sql-dialect.ts';
import type { Tables } from './tables/tables.ts';

/** This version cannot use the schema, and did not change it. */
export class UnusableSchema extends PlainError {}

/** The schema must be migrated first, which a start of the service does. */
export class OutdatedSchema extends UnusableSchema {}

/** The schema has migrations that this version does not know. */
export class UnknownSchema extends LastingError {
  /** Without the advice for a start. */
  readonly reason: string;

  constructor(reason: string, advice: string) {
    super(`${reason}; ${advice}`);
    this.reason = reason;
  }
}

export type Migrations = Readonly<Record<string, Migration>>;

/** The name of the newest that this version knows. */
export const NEWEST_SCHEMA = Object.keys(migrations).at(-1) ?? '';

/** Whether migrations are missing. Throws when the schema has some that this version does not know. */
export async function isOutdated(db: Kysely<Tables>, known: Migrations = migrations): Promise<boolean> {
  const done = await namesDone(db);
  requireKnown(done, known, isPostgres(db));
  return !isComplete(done, known);
}

/** Brings the schema up to date. Whoever calls it keeps others from doing the same. */
export async function migrate(db: Kysely<Tables>, known: Migrations = migrations): Promise<void> {
  if (!(await isOutdated(db, known))) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...known }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (error instanceof StoreUnavailableError) throw error;
  const failed =
    results?.find(result => result.status === 'Error')?.migrationName ?? 'before the first migration';
  throw new Error(`the store migration failed (${failed})`, { cause: error });
}

/** Throws unless the schema is the one that this version knows. */
export async function requireCurrentSchema(db: Kysely<Tables>): Promise<void> {
  if (await isOutdated(db)) {
    throw new OutdatedSchema(
      'the store is empty or has an older schema; start the server once to create or migrate it',
    );
  }
}

/** Whether the schema has all that this version knows; asked often, so it costs one small select. */
export async function hasCurrentSchema(db: Kysely<Tables>): Promise<boolean> {
  try {
    return isComplete(await readNames(db));
  } catch (error) {
    if (error instanceof StoreUnavailableError && !(error instanceof StoreDamagedError)) throw error;
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

/** A store of a newer version has the first migration too; one without it was created before the first release. */
function requireKnown(done: readonly string[], known: Migrations, isShared: boolean): void {
  const unknown = done.find(name => !(name in known));
  if (unknown === undefined) return;
  const [first = ''] = Object.keys(known);
  if (done.includes(first))
    throw new UnknownSchema(
      `the store schema is newer than this version of Hostler supports (it has the migration ${unknown})`,
      'start the version that migrated the store, or a later one',
    );
  throw new UnknownSchema(
    `the store was created by a development version of Hostler (it has the migration ${unknown}) and cannot be migrated`,
    isShared
      ? 'create an empty database and name it in the setting store'
      : 'move hostler.sqlite out of the data directory, or use another directory (setting data)',
  );
}
