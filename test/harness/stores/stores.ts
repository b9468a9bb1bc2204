import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, inject } from 'vitest';
import type { Clock } from '../../../src/lib/time/clock.ts';
import { openPostgres } from '../../../src/store/postgres/open-postgres.ts';
import { openSqlite, storeFilePath } from '../../../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { IS_LONG_RUN } from '../vitest/long-run.ts';
import { waitUntil } from '../wait-until.ts';
import { memoryFolder } from './memory-folder.ts';

const STORE_KINDS = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

function isAvailable(kind: StoreKind): boolean {
  if (kind === 'sqlite') return true;
  const url: string | undefined = inject('postgresUrl');
  if (url === undefined) throw new Error('unit tests cannot use PostgreSQL; rename the file to *.integration.test.ts');
  return url !== '';
}

/** Skipped if PostgreSQL is not installed. */
export function describePostgres(name: string, suite: () => void): void {
  describe.skipIf(!isAvailable('postgres'))(name, suite);
}

/** For slow suites that do not depend on the store: PostgreSQL only in long runs. */
export const SQLITE_UNLESS_LONG: readonly StoreKind[] = IS_LONG_RUN ? STORE_KINDS : ['sqlite'];

/** Runs once on each store; skipped for stores that are not available. */
export function describeByStore(
  title: (kind: StoreKind) => string,
  suite: (kind: StoreKind) => void,
  kinds: readonly StoreKind[] = STORE_KINDS,
): void {
  for (const kind of kinds) describe.skipIf(!isAvailable(kind))(title(kind), () => suite(kind));
}

/** A new database and its settings. */
export interface TestDatabase {
  readonly kind: StoreKind;
  readonly folder: string;
  /** Value of the setting `store`. */
  readonly location: string;
  remove(): Promise<void>;
}

async function runOnPostgres(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

let adminPool: pg.Pool | undefined;

/** Uses one connection per process. It does not keep the process alive and reconnects after a restart of PostgreSQL. */
async function runAsPostgresAdmin(statement: string): Promise<void> {
  if (adminPool === undefined) {
    const settings = { max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true };
    adminPool = new pg.Pool({ connectionString: inject('postgresUrl'), ...settings });
    // The pool removes a lost connection. Without a listener the error would end the process.
    adminPool.on('error', () => {});
  }
  await adminPool.query(statement);
}

/** SQLite must not wait, because the server with the lock may run in this process. */
function isUnlocked(database: Database.Database): boolean {
  try {
    database.exec('begin immediate; rollback');
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

/** Runs SQL directly on the database. */
export async function runSql({ kind, folder, location }: TestDatabase, statements: string): Promise<void> {
  if (kind === 'postgres') return runOnPostgres(location, statements);
  const database = new Database(storeFilePath(folder), { timeout: 0 });
  try {
    await waitUntil('no other connection has locked the store', () => {
      if (!isUnlocked(database)) return false;
      database.exec(statements);
      return true;
    });
  } finally {
    database.close();
  }
}

let count = 0;

const REQUIRED_MB = 500;

/** `template` is a database that is copied. */
async function createPostgresDatabase(
  template = 'template1',
): Promise<{ readonly name: string; readonly url: string }> {
  count += 1;
  const name = `test_${process.pid}_${count}`;
  await runAsPostgresAdmin(`create database ${name} template ${template}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return { name, url: url.href };
}

// Copying a database takes a quarter of the time of migrating it. A process migrates one of each kind.

async function createPostgresTemplate(): Promise<string> {
  const { name, url } = await createPostgresDatabase();
  await (await openPostgres(url)).close();
  return name;
}

/** Returns the content of the file. */
async function createSqliteTemplate(): Promise<Buffer> {
  const folder = createFolder();
  try {
    // Closing the store also writes the write-ahead log to the file.
    await (await openSqlite(folder)).close();
    return readFileSync(storeFilePath(folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Calls `create` once, and again after a failure. */
function cached<T>(create: () => Promise<T>): () => Promise<T> {
  let created: Promise<T> | undefined;
  return () => {
    created ??= create().catch(error => {
      created = undefined;
      throw error;
    });
    return created;
  };
}

const postgresTemplate = cached(createPostgresTemplate);
const sqliteTemplate = cached(createSqliteTemplate);

/** In memory if there is space, because no test cuts the power. */
const createFolder = () => mkdtempSync(path.join(memoryFolder({ requiredMb: REQUIRED_MB }), 'hostler-test-'));

/** The database has no tables, or with `isMigrated` those of the current schema. */
export async function createTestDatabase(
  kind: StoreKind,
  { isMigrated = false }: { readonly isMigrated?: boolean } = {},
): Promise<TestDatabase> {
  const folder = createFolder();
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (kind === 'sqlite') {
    if (isMigrated) writeFileSync(storeFilePath(folder), await sqliteTemplate());
    return { kind, folder, location: 'sqlite', remove: async () => removeFolder() };
  }
  const { name, url } = await createPostgresDatabase(isMigrated ? await postgresTemplate() : undefined);
  return {
    kind,
    folder,
    location: url,
    remove: async () => {
      removeFolder();
      await runAsPostgresAdmin(`drop database if exists ${name} with (force)`);
    },
  };
}

/** `attach` opens the store without migrating it. */
export const openTestDatabase = (
  { kind, folder, location }: TestDatabase,
  options?: { readonly attach?: boolean; readonly clock?: Pick<Clock, 'now'> },
): Promise<Store> => (kind === 'sqlite' ? openSqlite(folder, options) : openPostgres(location, options));

/** A store without a server. */
interface StoreSuite {
  readonly kind: StoreKind;
  readonly store: () => Store;
  readonly database: () => TestDatabase;
  /** Call after closing the store. */
  readonly reopen: () => Promise<void>;
}

interface Options {
  /** One store per suite, or per test. */
  readonly per: 'suite' | 'test';
}

export function describeStore(name: string, { per }: Options, suite: (context: StoreSuite) => void): void {
  const [setUp, tearDown] = per === 'suite' ? [beforeAll, afterAll] : [beforeEach, afterEach];
  describeByStore(
    kind => `${name}, on ${kind}`,
    kind => {
      let database: TestDatabase;
      let store: Store;
      const reopen = async () => {
        store = await openTestDatabase(database);
      };
      setUp(async () => {
        database = await createTestDatabase(kind, { isMigrated: true });
        await reopen();
      });
      tearDown(async () => {
        await store.close();
        await database.remove();
      });
      suite({ kind, store: () => store, database: () => database, reopen });
    },
  );
}
