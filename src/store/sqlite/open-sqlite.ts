import path from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, sql } from 'kysely';
import { inTransaction } from '../in-transaction.ts';
import { migrate, requireCurrentSchema } from '../migrate.ts';
import { Records } from '../records.ts';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { EngineTraits } from '../traits.ts';
import { sqliteDialect } from './dialect.ts';

const TRAITS: EngineTraits = { hasRowLocks: false };

/** How long one process waits for another's transaction: a command on the machine beside the running service. */
const BUSY_TIMEOUT_MS = 5000;

/** Locked for too long by another process, or the disk is full, gone or read-only. */
const AWAY = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/;

function openDatabase(file: string, options: { readonly: boolean; mustExist: boolean }): Database.Database {
  const database = new Database(file, {
    readonly: options.readonly,
    fileMustExist: options.mustExist,
    timeout: BUSY_TIMEOUT_MS,
  });
  if (!options.readonly) {
    database.pragma('journal_mode = wal');
    // What was answered survives a power cut, and what was deleted cannot be read from the file.
    database.pragma('synchronous = full');
    database.pragma('secure_delete = on');
    database.pragma('foreign_keys = on');
  }
  return database;
}

/**
 * Opens the embedded store in a folder, making it when it is not there. Whoever only visits, beside the service that owns the
 * folder, takes the schema as it is.
 */
export async function openSqlite(folder: string, { visiting = false } = {}): Promise<Store> {
  const file = path.join(folder, 'hostler.sqlite');
  const writer = new Kysely<Tables>({
    dialect: sqliteDialect(openDatabase(file, { readonly: false, mustExist: visiting })),
  });
  try {
    await (visiting ? requireCurrentSchema(writer) : migrate(writer));
  } catch (error) {
    await writer.destroy();
    throw error;
  }
  // A connection of its own: a read sees what is committed, and never waits for a transaction.
  const reader = new Kysely<Tables>({
    dialect: sqliteDialect(openDatabase(file, { readonly: true, mustExist: true })),
  });
  return {
    records: new Records(reader, TRAITS),
    transaction: work => inTransaction(writer, TRAITS, work),
    ping: async () => {
      await sql`select 1`.execute(reader);
    },
    isUnavailable: error => error instanceof Database.SqliteError && AWAY.test(error.code),
    close: async () => {
      await reader.destroy();
      await writer.destroy();
    },
  };
}
