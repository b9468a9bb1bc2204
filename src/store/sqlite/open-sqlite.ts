import { existsSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { StoreCorruptError } from '../../domain/errors.ts';
import { CloseStack } from '../../lib/close-stack.ts';
import type { CpuThrottle } from '../../lib/concurrency.ts';
import { PermanentError } from '../../lib/errors.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { assertSchemaCurrent, hasCurrentSchema, migrate, StoreSchemaError } from '../migrate.ts';
import { Repositories } from '../repositories/index.ts';
import type { Store } from '../store.ts';
import { SignalBus } from '../store.ts';
import type { StoreMetrics } from '../store-metrics.ts';
import { withMetrics } from '../store-metrics.ts';
import type { Tables } from '../tables/tables.ts';
import { runTransaction } from '../transaction.ts';
import { SqliteConnection } from './connection.ts';
import type { BeginStatement } from './dialect.ts';
import { sqliteDialect } from './dialect.ts';
import { checkForeignObjects, findDamage } from './inspect-sqlite.ts';

const OPEN_TIMEOUT_MS = 5000;
/** Short, because waiting blocks the event loop. `dialect.ts` retries. */
const BUSY_TIMEOUT_MS = 5;

/** The pages of a hundred thousand hosts. Each cache miss costs a system call. */
const CACHE_KIB = 64 * 1024;

export function openDatabase(file: string, { readonly }: { readonly: boolean }): Database.Database {
  const database = new Database(file, { readonly, timeout: OPEN_TIMEOUT_MS });
  try {
    configure(database, readonly);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

function configure(database: Database.Database, readonly: boolean): void {
  // The file may come from an untrusted source; its schema must not run functions with side effects.
  database.pragma('trusted_schema = off');
  database.pragma(`cache_size = ${-CACHE_KIB}`);
  if (!readonly) {
    database.pragma('journal_mode = wal');
    // Committed data survives a power failure, and deleted data cannot be read from the file.
    database.pragma('synchronous = full');
    database.pragma('secure_delete = on');
    database.pragma('foreign_keys = on');
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

export const storeFilePath = (directory: string): string => path.join(directory, 'hostler.sqlite');

export const storeMissingMessage = (directory: string): string =>
  `there is no store in ${directory}; use the data directory of the server (--data), or start the server once to create the store`;

/** Kysely does not close a connection that it has not used. */
async function closeConnection(db: Kysely<Tables>, connection: SqliteConnection): Promise<void> {
  await db.destroy();
  connection.close();
}

function assertNoForeignObjects({ database }: SqliteConnection, file: string): void {
  const problem = checkForeignObjects(database, file);
  if (problem !== undefined) throw new PermanentError(problem);
}

/** Finds a corrupt table at the start and not in a later request. */
function assertIntact({ database }: SqliteConnection): void {
  const damage = findDamage(database);
  if (damage !== undefined) throw new StoreCorruptError(new Database.SqliteError(damage, 'SQLITE_CORRUPT'));
}

/** Rewrites the first page without a change. */
const checkWritable = (db: Kysely<Tables>): Promise<void> =>
  db.transaction().execute(async transaction => {
    await sql`pragma user_version = 0`.execute(transaction);
  });

/**
 * Opens the embedded store in a directory, and creates it if it is missing. With `attach`, for commands that
 * run next to the service, the schema is not migrated.
 */
export async function openSqlite(
  directory: string,
  {
    attach = false,
    clock = systemClock,
    metrics,
    throttle,
    lockClock = systemClock,
  }: {
    attach?: boolean;
    clock?: Pick<Clock, 'now'>;
    metrics?: StoreMetrics;
    throttle?: CpuThrottle;
    lockClock?: Pick<Clock, 'monotonicMs'>;
  } = {},
): Promise<Store> {
  const file = storeFilePath(directory);
  if (attach && !existsSync(file)) throw new StoreSchemaError(storeMissingMessage(directory));
  const errors: unknown[] = [];
  const closeStack = new CloseStack(error => errors.push(error));
  const connect = (readonly: boolean, begin?: BeginStatement) => {
    const connection = new SqliteConnection(openDatabase(file, { readonly }), clock, {
      ...(metrics && { metrics }),
      ...(throttle && { throttle }),
    });
    const db = new Kysely<Tables>({ dialect: sqliteDialect(connection, { lockClock, ...(begin && { begin }) }) });
    closeStack.add(() => closeConnection(db, connection));
    return { db, connection };
  };
  const connectAll = async () => {
    const writer = connect(false);
    if (!attach) assertIntact(writer.connection);
    assertNoForeignObjects(writer.connection, file);
    await (attach ? assertSchemaCurrent(writer.db) : migrate(writer.db));
    if (!attach) closeStack.add(() => writer.connection.checkpoint());
    // Reads have a separate connection: they see committed data and never wait for a transaction. Snapshots
    // have another one.
    return { writer, reader: connect(true), snapshotReader: connect(true, 'begin') };
  };
  const { writer, reader, snapshotReader } = await connectAll().catch(async error => {
    await closeStack.close();
    throw error;
  });
  const signals = new SignalBus();
  const store: Store = {
    isShared: false,
    listen: listener => signals.listen(listener),
    notify: outgoing => signals.emit(outgoing),
    reads: new Repositories(reader.db, reader.connection.engine),
    // A transaction locks the complete store, so there are no conflicts.
    transaction: run =>
      runTransaction(writer.db, writer.connection.engine, run, {
        isConflict: () => false,
        notify: outgoing => signals.emit(outgoing),
      }),
    snapshot: run =>
      snapshotReader.db
        .transaction()
        .execute(transaction => run(new Repositories(transaction, snapshotReader.connection.engine))),
    checkWritable: async () => {
      const damage = [writer, reader, snapshotReader].map(({ connection }) => connection.damage).find(Boolean);
      if (damage) throw damage;
      await checkWritable(writer.db);
    },
    hasCurrentSchema: () => hasCurrentSchema(reader.db),
    close: async () => {
      await closeStack.close();
      if (errors.length > 0) throw errors[0];
    },
  };
  return metrics ? withMetrics(store, metrics) : store;
}
