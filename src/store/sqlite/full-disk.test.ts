import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kysely } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { migrate } from '../migrate.ts';
import type { Tables } from '../tables/tables.ts';
import { runTransaction } from '../transaction.ts';
import { SqliteConnection } from './connection.ts';
import { sqliteDialect } from './dialect.ts';
import { openDatabase } from './open-sqlite.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'hostler-full-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('SQLite reports a full disk as unavailable, and works again when there is space', async () => {
  const database = openDatabase(path.join(directory, 'x.sqlite'), { readonly: false });
  const connection = new SqliteConnection(database);
  const db = new Kysely<Tables>({ dialect: sqliteDialect(connection) });
  await migrate(db);
  const write = (name: string) =>
    runTransaction(
      db,
      connection.engine,
      records =>
        records.driverRecords.insertOrLock('network', {
          name: toRecordName(name),
          type: 'none',
          options: { padding: 'x'.repeat(100_000) },
          sealedOptions: {},
          revision: 'r',
        }),
      { isConflict: () => false, notify: () => {} },
    );
  // SQLite does not grow the file beyond this, which fails like a full disk.
  database.pragma(`max_page_count = ${Number(database.pragma('page_count', { simple: true })) + 5}`);
  await expect(write('too-large')).rejects.toThrow(StoreUnavailableError);
  await expect(write('too-large')).rejects.toMatchObject({ cause: { code: 'SQLITE_FULL' } });
  database.pragma('max_page_count = 1000000');
  expect(await write('fits')).toBeUndefined();
  await db.destroy();
});
