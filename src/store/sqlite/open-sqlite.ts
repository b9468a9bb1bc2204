import { existsSync } from 'node:fs';
import path from 'node:path';
import { Kysely, sql } from 'kysely';
import { inTransaction } from '../in-transaction.ts';
import { migrate, requireCurrentSchema, UnusableSchema } from '../migrate.ts';
import { Records } from '../records.ts';
import type { Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { EngineTraits } from '../traits.ts';
import { openDatabase } from './database.ts';
import { sqliteDialect } from './dialect.ts';

const TRAITS: EngineTraits = { hasRowLocks: false };

/**
 * Opens the embedded store in a folder, making it when it is not there. Whoever only visits, beside the service that owns the
 * folder, takes the schema as it is.
 */
export async function openSqlite(folder: string, { visiting = false } = {}): Promise<Store> {
  const file = path.join(folder, 'hostler.sqlite');
  if (visiting && !existsSync(file))
    throw new UnusableSchema(`there is no store in ${folder}; start the service on it first`);
  const writer = new Kysely<Tables>({
    dialect: sqliteDialect(openDatabase(file, { readonly: false })),
  });
  try {
    await (visiting ? requireCurrentSchema(writer) : migrate(writer));
  } catch (error) {
    await writer.destroy();
    throw error;
  }
  // A connection of its own: a read sees what is committed, and never waits for a transaction.
  const reader = new Kysely<Tables>({
    dialect: sqliteDialect(openDatabase(file, { readonly: true })),
  });
  return {
    reads: new Records(reader, TRAITS),
    // Nobody is in the way: a transaction has the whole store to itself.
    transaction: work => inTransaction(writer, TRAITS, work, () => false),
    ping: async () => {
      await sql`select 1`.execute(reader);
    },
    close: async () => {
      await reader.destroy();
      await writer.destroy();
    },
  };
}
