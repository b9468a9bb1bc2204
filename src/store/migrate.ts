import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { Migrator } from 'kysely/migration';
import { StoreCorruptError, StoreUnavailableError } from '../domain/errors.ts';
import { OperatorError, PermanentError } from '../lib/errors.ts';
import { migrations } from './migrations/index.ts';
import { isPostgres } from './migrations/sql-dialect.ts';
import type { Tables } from './tables/tables.ts';

/** This version cannot use the schema. The schema was not changed. */
export class StoreSchemaError extends OperatorError {}

/** The schema must be migrated first. The server does that at its start. */
export class SchemaOutdatedError extends StoreSchemaError {}

export class SchemaUnknownError extends PermanentError {
  readonly reason: string;

  constructor(reason: string, advice: string) {
    super(`${reason}; ${advice}`);
    this.reason = reason;
  }
}

export type Migrations = Readonly<Record<string, Migration>>;

export const LATEST_MIGRATION = Object.keys(migrations).at(-1) ?? '';

/** Throws if the schema has migrations that this version does not know. */
export async function hasPendingMigrations(db: Kysely<Tables>, supported: Migrations = migrations): Promise<boolean> {
  const applied = await appliedMigrations(db);
  assertSupported(applied, supported, isPostgres(db));
  return !isComplete(applied, supported);
}

/** Migrates the schema. The caller must prevent concurrent migrations. */
export async function migrate(db: Kysely<Tables>, supported: Migrations = migrations): Promise<void> {
  if (!(await hasPendingMigrations(db, supported))) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...supported }) } });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (error instanceof StoreUnavailableError) throw error;
  const failed = results?.find(result => result.status === 'Error')?.migrationName ?? 'before the first migration';
  throw new Error(`the store migration failed (${failed})`, { cause: error });
}

export async function assertSchemaCurrent(db: Kysely<Tables>): Promise<void> {
  if (await hasPendingMigrations(db)) {
    throw new SchemaOutdatedError(
      'the store is empty or has an older schema; start the server once to create or migrate it',
    );
  }
}

/** Called often, so the usual case is one small query. */
export async function hasCurrentSchema(db: Kysely<Tables>): Promise<boolean> {
  try {
    return isComplete(await readMigrationNames(db));
  } catch (error) {
    if (error instanceof StoreUnavailableError && !(error instanceof StoreCorruptError)) throw error;
    // The table does not exist if the store is empty.
    return isComplete(await appliedMigrations(db));
  }
}

const isComplete = (applied: readonly string[], supported: Migrations = migrations) =>
  Object.keys(supported).every(name => applied.includes(name));

async function readMigrationNames(db: Kysely<Tables>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(row => row.name);
}

async function appliedMigrations(db: Kysely<Tables>): Promise<readonly string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  return tables.some(table => table.name === 'kysely_migration') ? readMigrationNames(db) : [];
}

/** A store without the first migration was created before the first release. */
function assertSupported(applied: readonly string[], supported: Migrations, isShared: boolean): void {
  const unknown = applied.find(name => !(name in supported));
  if (unknown === undefined) return;
  const [first = ''] = Object.keys(supported);
  if (applied.includes(first))
    throw new SchemaUnknownError(
      `the store schema is newer than this version of Hostler supports (it has the migration ${unknown})`,
      'start the version that migrated the store, or a later one',
    );
  throw new SchemaUnknownError(
    `the store was created by a development version of Hostler (it has the migration ${unknown}) and cannot be migrated`,
    isShared
      ? 'create an empty database and name it in the setting store'
      : 'move hostler.sqlite out of the data directory, or use another directory (setting data)',
  );
}
