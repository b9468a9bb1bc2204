import { existsSync } from 'node:fs';
import path from 'node:path';
import { Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import { systemClock } from '../../lib/time/clock.ts';
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
import { sqliteDialect } from './dialect.ts';

/** Where the embedded store of a folder is. */
export const storeFileIn = (folder: string): string => path.join(folder, 'hostler.sqlite');

/** Kysely does not close what it was never asked to use. */
async function close(db: Kysely<Tables>, connection: SqliteConnection): Promise<void> {
  await db.destroy();
  connection.close();
}

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
  }: { visiting?: boolean; clock?: Pick<Clock, 'now'>; meter?: StoreMeter } = {},
): Promise<Store> {
  const file = storeFileIn(folder);
  if (visiting && !existsSync(file))
    throw new UnusableSchema(`there is no store in ${folder}; start the service on it first`);
  const writing = new SqliteConnection(openDatabase(file, { readonly: false }), clock, meter);
  const writer = new Kysely<Tables>({ dialect: sqliteDialect(writing) });
  try {
    await (visiting ? requireCurrentSchema(writer) : migrate(writer));
  } catch (error) {
    await writer.destroy();
    throw error;
  }
  // A connection of its own: a read sees what is committed, and never waits for a transaction.
  const reading = new SqliteConnection(openDatabase(file, { readonly: true }), clock, meter);
  const reader = new Kysely<Tables>({ dialect: sqliteDialect(reading) });
  // And one for reads that must see the same moment while others read on.
  const looking = new SqliteConnection(openDatabase(file, { readonly: true }), clock, meter);
  const looker = new Kysely<Tables>({ dialect: sqliteDialect(looking, 'begin') });
  const signals = new Signals();
  const store: Store = {
    isShared: false,
    listen: listener => signals.listen(listener),
    announce: told => signals.emit(told),
    reads: new Records(reader, reading.engine),
    // Nobody is in the way: a transaction has the whole store to itself.
    transaction: work =>
      inTransaction(writer, writing.engine, work, {
        isOthersFault: () => false,
        announce: heard => signals.emit(heard),
      }),
    snapshot: work =>
      looker.transaction().execute(transaction => work(new Records(transaction, looking.engine))),
    hasCurrentSchema: () => hasCurrentSchema(reader),
    close: async () => {
      await close(looker, looking);
      await close(reader, reading);
      if (!visiting) writing.writeBack();
      await close(writer, writing);
    },
  };
  return meter ? measuredStore(store, meter) : store;
}
