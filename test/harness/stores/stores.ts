import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { describe, inject } from 'vitest';
import type { Clock } from '../../../src/lib/time/clock.ts';
import { openPostgres } from '../../../src/store/postgres/open-postgres.ts';
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { until } from '../until.ts';
import { memoryFolder } from './memory-folder.ts';

const STORE_KINDS = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

const isAvailable = (kind: StoreKind) => kind === 'sqlite' || inject('postgresUrl') !== '';

/** A suite of PostgreSQL alone; where that cannot be had it is skipped, and the run has said why. */
export const describePostgres = describe.skipIf(!isAvailable('postgres'));

/** For suites about what is the same on both and takes long: on PostgreSQL only when there is time. */
export const SQLITE_UNLESS_LONG: readonly StoreKind[] = process.env['HOSTLER_TEST_ALL']
  ? STORE_KINDS
  : ['sqlite'];

/** A suite that runs once on each store; one that cannot be had here is skipped, and the run has said why. */
export function describeStores(
  what: (kind: StoreKind) => string,
  suite: (kind: StoreKind) => void,
  kinds: readonly StoreKind[] = STORE_KINDS,
): void {
  for (const kind of kinds) describe.skipIf(!isAvailable(kind))(what(kind), () => suite(kind));
}

/** A place for a store that nobody else has, and the settings that name it. */
export interface StorePlace {
  readonly kind: StoreKind;
  readonly folder: string;
  /** The value of the setting `store`. */
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

const onServer = (statement: string) => runOnPostgres(inject('postgresUrl'), statement);

/** Whether no transaction has the lock. SQLite must not wait: the service that has the lock may run in this process. */
function isUnlocked(database: Database.Database): boolean {
  try {
    database.exec('begin immediate; rollback');
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

/** Runs statements on the database of a store, past the service. */
export async function runSql({ kind, folder, location }: StorePlace, statements: string): Promise<void> {
  if (kind === 'postgres') return runOnPostgres(location, statements);
  const database = new Database(path.join(folder, 'hostler.sqlite'), { timeout: 0 });
  try {
    await until('the store is locked', () => {
      if (!isUnlocked(database)) return false;
      database.exec(statements);
      return true;
    });
  } finally {
    database.close();
  }
}

let count = 0;

/** `isForgetful`: no disk is waited for. For what takes many transactions and is about none of them. */
export async function makeStorePlace(
  kind: StoreKind,
  { isForgetful = false }: { readonly isForgetful?: boolean } = {},
): Promise<StorePlace> {
  const parent = isForgetful ? memoryFolder({ roomMb: 100 }) : tmpdir();
  const folder = mkdtempSync(path.join(parent, 'hostler-test-'));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  if (kind === 'sqlite') return { kind, folder, location: 'sqlite', remove: async () => removeFolder() };
  count += 1;
  const name = `test_${process.pid}_${count}`;
  await onServer(`create database ${name}`);
  if (isForgetful) await onServer(`alter database ${name} set synchronous_commit = off`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return {
    kind,
    folder,
    location: url.href,
    remove: async () => {
      removeFolder();
      await onServer(`drop database if exists ${name} with (force)`);
    },
  };
}

/** Opens the store of a place. Whoever only visits takes it as it is. */
export const openPlace = (
  { kind, folder, location }: StorePlace,
  options?: { readonly attach?: boolean; readonly clock?: Pick<Clock, 'now'> },
): Promise<Store> => (kind === 'sqlite' ? openSqlite(folder, options) : openPostgres(location, options));
