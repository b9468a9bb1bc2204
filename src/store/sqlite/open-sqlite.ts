import { existsSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { StoreDamagedError } from '../../domain/errors.ts';
import { CloseStack } from '../../lib/close-stack.ts';
import { LastingError } from '../../lib/errors/lasting-error.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Turnstile } from '../../lib/turns/turnstile.ts';
import { inTransaction } from '../in-transaction.ts';
import { measuredStore } from '../measured-store.ts';
import type { StoreMeter } from '../meter.ts';
import { hasCurrentSchema, migrate, requireCurrentSchema, UnusableSchema } from '../migrate.ts';
import { Records } from '../records.ts';
import { Signals } from '../signals.ts';
import type { Store } from '../store.ts';
import type { Tables } from '../tables/tables.ts';
import { SqliteConnection } from './connection.ts';
import { openDatabase } from './database.ts';
import type { Begin } from './dialect.ts';
import { sqliteDialect } from './dialect.ts';
import { foreignObjectsProblem } from './examine-store.ts';
import { damageIn } from './quick-check.ts';

/** Where the embedded store of a folder is. */
export const storeFileIn = (folder: string): string => path.join(folder, 'hostler.sqlite');

/** The error of commands that need an existing store. */
export const noStoreText = (folder: string): string =>
  `there is no store in ${folder}; use the data directory of the server (--data), or start the server once to create the store`;

/** Kysely does not close what it was never asked to use. */
async function close(db: Kysely<Tables>, connection: SqliteConnection): Promise<void> {
  await db.destroy();
  connection.close();
}

function requireNoForeignObjects({ database }: SqliteConnection, file: string): void {
  const problem = foreignObjectsProblem(database, file);
  if (problem !== undefined) throw new LastingError(problem);
}

/** A corrupt table is found now, and not by a request. */
function requireSound({ database }: SqliteConnection): void {
  const damage = damageIn(database);
  if (damage !== undefined) throw new StoreDamagedError(new Database.SqliteError(damage, 'SQLITE_CORRUPT'));
}

/** Writes the first page again, as it is. */
const checkWritable = (db: Kysely<Tables>): Promise<void> =>
  db.transaction().execute(async transaction => {
    await sql`pragma user_version = 0`.execute(transaction);
  });

/**
 * Opens the embedded store in a folder, making it when it is not there. Whoever only visits, beside the service that owns the
 * folder, takes the schema as it is.
 */
export async function openSqlite(
  folder: string,
  {
    visiting = false,
    clock = systemClock,
    meter,
    turnstile,
  }: { visiting?: boolean; clock?: Pick<Clock, 'now'>; meter?: StoreMeter; turnstile?: Turnstile } = {},
): Promise<Store> {
  const file = storeFileIn(folder);
  if (visiting && !existsSync(file)) throw new UnusableSchema(noStoreText(folder));
  const failures: unknown[] = [];
  const closing = new CloseStack(error => failures.push(error));
  const connect = (readonly: boolean, begin?: Begin) => {
    const connection = new SqliteConnection(openDatabase(file, { readonly }), clock, {
      ...(meter && { meter }),
      ...(turnstile && { turnstile }),
    });
    const db = new Kysely<Tables>({ dialect: sqliteDialect(connection, begin) });
    closing.add(() => close(db, connection));
    return { db, connection };
  };
  const connectAll = async () => {
    const writing = connect(false);
    if (!visiting) requireSound(writing.connection);
    requireNoForeignObjects(writing.connection, file);
    await (visiting ? requireCurrentSchema(writing.db) : migrate(writing.db));
    if (!visiting) closing.add(() => writing.connection.writeBack());
    // Reads have a connection of their own: they see what is committed, and never wait for a transaction. Snapshots have another one.
    return { writing, reading: connect(true), snapshots: connect(true, 'begin') };
  };
  const { writing, reading, snapshots } = await connectAll().catch(async error => {
    await closing.close();
    throw error;
  });
  const signals = new Signals();
  const store: Store = {
    isShared: false,
    listen: listener => signals.listen(listener),
    announce: told => signals.emit(told),
    reads: new Records(reading.db, reading.connection.engine),
    // Nobody is in the way: a transaction has the whole store to itself.
    transaction: work =>
      inTransaction(writing.db, writing.connection.engine, work, {
        isOthersFault: () => false,
        announce: heard => signals.emit(heard),
      }),
    snapshot: work =>
      snapshots.db
        .transaction()
        .execute(transaction => work(new Records(transaction, snapshots.connection.engine))),
    checkWritable: async () => {
      const damage = [writing, reading, snapshots].map(({ connection }) => connection.damage).find(Boolean);
      if (damage) throw damage;
      await checkWritable(writing.db);
    },
    hasCurrentSchema: () => hasCurrentSchema(reading.db),
    close: async () => {
      await closing.close();
      if (failures.length > 0) throw failures[0];
    },
  };
  return meter ? measuredStore(store, meter) : store;
}
