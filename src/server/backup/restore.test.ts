import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { listOutboxEntries } from '../../../test/harness/events/outbox-entries.ts';
import { backupFixture, configSources, POSTGRES } from '../../../test/harness/stores/backup-fixtures.ts';
import { PermanentError } from '../../lib/errors.ts';
import { openSqlite, storeFilePath } from '../../store/sqlite/open-sqlite.ts';
import { lockDataDirectory } from '../../store/sqlite/store-files.ts';
import { runRestore } from './restore.ts';

const fixture = backupFixture();
const { base, backup } = fixture;

describe('runRestore()', () => {
  let data = '';
  beforeEach(() => {
    data = mkdtempSync(path.join(base, 'data-'));
  });
  const restore = (file: string, { isReplacing: canReplace = false, more = {} } = {}) =>
    runRestore(configSources(data, more), { file, canReplace });
  const files = () => readdirSync(data).filter(name => name !== 'lock.sqlite');

  test('creates a store that only its owner can read', async () => {
    await restore(backup);
    expect(files()).toEqual(['hostler.sqlite']);
    expect(statSync(storeFilePath(data)).mode & 0o777).toBe(0o600);
    expect(fixture.output()).toContain('Restored: 0 hosts, 0 clusters.');
    const store = await openSqlite(data, { attach: true });
    expect(await listOutboxEntries(store, { type: 'service.restored' })).toHaveLength(1);
    await store.close();
  });

  test('renames an existing store with the changes in its WAL, and only with --replace', async () => {
    writeFileSync(storeFilePath(data), readFileSync(backup));
    await expect(restore(backup)).rejects.toThrow(/already contains a store; use --replace/);
    expect(files()).toEqual(['hostler.sqlite']);
    // A killed server: its last change is only in the WAL.
    const unclosedStore = await openSqlite(data);
    await unclosedStore.transaction(records => records.serviceFlags.setGloballyPaused(true));
    const log = readFileSync(`${storeFilePath(data)}-wal`);
    const main = readFileSync(storeFilePath(data));
    await unclosedStore.close();
    writeFileSync(storeFilePath(data), main);
    writeFileSync(`${storeFilePath(data)}-wal`, log);

    await restore(backup, { isReplacing: true });
    const [store, previousStore = '', ...others] = files();
    expect([store, others]).toEqual(['hostler.sqlite', []]);
    expect(previousStore).toMatch(/^hostler\.sqlite\.before-restore-\d{8}T\d{9}Z$/);
    expect(fixture.output()).toContain(previousStore);
    expect(await readGlobalPause(storeFilePath(data))).toBe(false);
    expect(await readGlobalPause(path.join(data, previousStore))).toBe(true);
  });

  async function readGlobalPause(file: string): Promise<boolean> {
    const folder = mkdtempSync(path.join(base, 'inspect-'));
    writeFileSync(storeFilePath(folder), readFileSync(file));
    const store = await openSqlite(folder);
    const isPaused = await store.reads.serviceFlags.isGloballyPaused();
    await store.close();
    return isPaused;
  }

  test('renames a corrupt store', async () => {
    writeFileSync(storeFilePath(data), 'no database'.repeat(1000));
    await restore(backup, { isReplacing: true });
    expect(files()).toHaveLength(2);
    expect(await readGlobalPause(storeFilePath(data))).toBe(false);
  });

  test('restores the changes in the WAL of a copied store', async () => {
    const copy = path.join(base, 'with-log');
    const folder = mkdtempSync(path.join(base, 'killed-'));
    writeFileSync(storeFilePath(folder), readFileSync(backup));
    const unclosedStore = await openSqlite(folder);
    await unclosedStore.transaction(records => records.serviceFlags.setGloballyPaused(true));
    writeFileSync(copy, readFileSync(storeFilePath(folder)));
    writeFileSync(`${copy}-wal`, readFileSync(`${storeFilePath(folder)}-wal`));
    await unclosedStore.close();
    await restore(copy);
    expect(await readGlobalPause(storeFilePath(data))).toBe(true);
  });

  test.each<[string, () => Promise<void>, RegExp]>([
    ['a missing file', () => restore(path.join(base, 'nothing')), /the file .* does not exist/],
    ['a directory', () => restore(base), /is not a regular file/],
    ['a file that is not a store', () => restore(import.meta.filename), /not a Hostler store/],
    ['PostgreSQL', () => restore(backup, { more: POSTGRES }), /hostler admin after-restore/],
    [
      'a wrong secret key',
      () => restore(backup, { more: { HOSTLER_SECRET_KEY: Buffer.alloc(32, 2).toString('base64') } }),
      /cannot decrypt this backup.*Nothing was changed/,
    ],
    [
      'a missing secret key',
      () => runRestore({ environment: { HOSTLER_DATA: data }, flags: {} }, { file: backup, canReplace: false }),
      /secret\.key is missing/,
    ],
  ])('rejects %s without changes', async (_name, runRestoreCommand, expectedError) => {
    await expect(runRestoreCommand()).rejects.toThrow(expectedError);
    expect(files()).toEqual([]);
  });

  test.each([
    ['a trigger', 'create trigger t after insert on outbox begin delete from accounts; end'],
    [
      'a changed trigger with its original name',
      "drop trigger log_no_delete; create trigger log_no_delete before delete on log begin delete from accounts; select raise(abort, ''); end",
    ],
    ['a view', 'create view v as select * from accounts'],
    ['a virtual table', 'create virtual table f using fts5(x)'],
  ])('rejects a backup that contains %s without changes', async (_name, sql) => {
    const changed = path.join(base, 'changed');
    writeFileSync(changed, readFileSync(backup));
    const database = new Database(changed);
    database.exec(sql);
    database.close();
    await expect(restore(changed)).rejects.toThrow(
      /has triggers, views or virtual tables that Hostler does not create/,
    );
    expect(files()).toEqual([]);
  });

  test('rejects the store of a development version', async () => {
    const older = path.join(base, 'older');
    writeFileSync(older, readFileSync(backup));
    const database = new Database(older);
    database.exec("update kysely_migration set name = '0001-records'");
    database.close();
    await expect(restore(older)).rejects.toThrow(
      /older: the store was created by a development version of Hostler \(it has the migration 0001-records\) and cannot be migrated; restore it/,
    );
    expect(files()).toEqual([]);
  });

  test('rejects the current store, and the store of a newer version', async () => {
    writeFileSync(storeFilePath(data), readFileSync(backup));
    await expect(restore(storeFilePath(data), { isReplacing: true })).rejects.toThrow(
      /the current store, not a backup/,
    );
    const newer = path.join(base, 'newer');
    const folder = mkdtempSync(path.join(base, 'newer-'));
    writeFileSync(storeFilePath(folder), readFileSync(backup));
    const database = new Database(storeFilePath(folder));
    database.exec("insert into kysely_migration (name, timestamp) values ('9999-later', 'now')");
    database.close();
    writeFileSync(newer, readFileSync(storeFilePath(folder)));
    const restoring = restore(newer, { isReplacing: true });
    await expect(restoring).rejects.toThrow(
      /newer: the store schema is newer than this version of Hostler supports \(it has the migration 9999-later\); restore it with the version/,
    );
    await expect(restoring).rejects.not.toThrow(PermanentError);
    expect(files()).toEqual(['hostler.sqlite']);
  });

  test('rejects a data directory that a running server uses', async () => {
    const unlock = lockDataDirectory(data);
    await expect(restore(backup)).rejects.toThrow(/in use by another Hostler/);
    unlock();
    expect(existsSync(storeFilePath(data))).toBe(false);
  });
});
