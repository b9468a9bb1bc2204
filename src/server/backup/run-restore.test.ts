// The command in this process: what it refuses, and that a refusal changes nothing.

import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import { toldIn } from '../../../test/harness/events/told.ts';
import { backedUp, POSTGRES, sourcesOf } from '../../../test/harness/stores/backed-up.ts';
import { LastingError } from '../../lib/errors/lasting-error.ts';
import { lockFolder } from '../../store/sqlite/folder-lock.ts';
import { openSqlite, storeFileIn } from '../../store/sqlite/open-sqlite.ts';
import { runRestore } from './run-restore.ts';

const place = backedUp();
const { base, backup } = place;

describe('a restore', () => {
  let data = '';
  beforeEach(() => {
    data = mkdtempSync(path.join(base, 'data-'));
  });
  const restore = (file: string, { isReplacing = false, more = {} } = {}) =>
    runRestore(sourcesOf(data, more), { file, isReplacing });
  const files = () => readdirSync(data).filter(name => name !== 'lock.sqlite');

  test('makes the store, for its own user', async () => {
    await restore(backup);
    expect(files()).toEqual(['hostler.sqlite']);
    expect(statSync(storeFileIn(data)).mode & 0o777).toBe(0o600);
    expect(place.said()).toContain('Restored: 0 hosts, 0 clusters.');
    const store = await openSqlite(data, { visiting: true });
    expect(await toldIn(store, { type: 'service.restored' })).toHaveLength(1);
    await store.close();
  });

  test('moves a store that is there aside, only when it is told to, and with what is in its log', async () => {
    writeFileSync(storeFileIn(data), readFileSync(backup));
    await expect(restore(backup)).rejects.toThrow(/already contains a store; use --replace/);
    expect(files()).toEqual(['hostler.sqlite']);
    // A service that was killed: its last change is only in the log.
    const killed = await openSqlite(data);
    await killed.transaction(records => records.switches.setHeld(true));
    const log = readFileSync(`${storeFileIn(data)}-wal`);
    const main = readFileSync(storeFileIn(data));
    await killed.close();
    writeFileSync(storeFileIn(data), main);
    writeFileSync(`${storeFileIn(data)}-wal`, log);

    await restore(backup, { isReplacing: true });
    const [store, aside = '', ...others] = files();
    expect([store, others]).toEqual(['hostler.sqlite', []]);
    expect(aside).toMatch(/^hostler\.sqlite\.before-restore-\d{8}T\d{9}Z$/);
    expect(place.said()).toContain(aside);
    expect(await isHeldIn(storeFileIn(data))).toBe(false);
    expect(await isHeldIn(path.join(data, aside))).toBe(true);
  });

  async function isHeldIn(file: string): Promise<boolean> {
    const folder = mkdtempSync(path.join(base, 'look-'));
    writeFileSync(storeFileIn(folder), readFileSync(file));
    const store = await openSqlite(folder);
    const isHeld = await store.reads.switches.isHeld();
    await store.close();
    return isHeld;
  }

  test('moves a store aside that cannot be read any more', async () => {
    writeFileSync(storeFileIn(data), 'no database'.repeat(1000));
    await restore(backup, { isReplacing: true });
    expect(files()).toHaveLength(2);
    expect(await isHeldIn(storeFileIn(data))).toBe(false);
  });

  test('takes with it what is only in the log beside a copy', async () => {
    const copy = path.join(base, 'with-log');
    const folder = mkdtempSync(path.join(base, 'killed-'));
    writeFileSync(storeFileIn(folder), readFileSync(backup));
    const killed = await openSqlite(folder);
    await killed.transaction(records => records.switches.setHeld(true));
    writeFileSync(copy, readFileSync(storeFileIn(folder)));
    writeFileSync(`${copy}-wal`, readFileSync(`${storeFileIn(folder)}-wal`));
    await killed.close();
    await restore(copy);
    expect(await isHeldIn(storeFileIn(data))).toBe(true);
  });

  test.each<[string, () => Promise<void>, RegExp]>([
    ['of nothing', () => restore(path.join(base, 'nothing')), /the file .* does not exist/],
    ['of a folder', () => restore(base), /is not a regular file/],
    ['of something else', () => restore(import.meta.filename), /not a Hostler store/],
    ['into a PostgreSQL', () => restore(backup, { more: POSTGRES }), /hostler admin after-restore/],
    [
      'with another secret key',
      () => restore(backup, { more: { HOSTLER_SECRET_KEY: Buffer.alloc(32, 2).toString('base64') } }),
      /cannot decrypt this backup.*Nothing was changed/,
    ],
    [
      'without a secret key',
      () =>
        runRestore({ environment: { HOSTLER_DATA: data }, flags: {} }, { file: backup, isReplacing: false }),
      /secret\.key is missing/,
    ],
  ])('%s is refused, and changes nothing', async (_what, attempt, problem) => {
    await expect(attempt()).rejects.toThrow(problem);
    expect(files()).toEqual([]);
  });

  test.each([
    ['a trigger', 'create trigger t after insert on outbox begin delete from accounts; end'],
    [
      'a trigger under a name of ours',
      "drop trigger log_no_delete; create trigger log_no_delete before delete on log begin delete from accounts; select raise(abort, ''); end",
    ],
    ['a view', 'create view v as select * from accounts'],
    ['a table that is none', 'create virtual table f using fts5(x)'],
  ])('of a backup into which somebody has put %s is refused, and changes nothing', async (_what, sql) => {
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

  test('of what a development version has written is rejected', async () => {
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

  test('of the store itself, or of what a newer version has written, is refused', async () => {
    writeFileSync(storeFileIn(data), readFileSync(backup));
    await expect(restore(storeFileIn(data), { isReplacing: true })).rejects.toThrow(
      /the current store, not a backup/,
    );
    const newer = path.join(base, 'newer');
    const folder = mkdtempSync(path.join(base, 'newer-'));
    writeFileSync(storeFileIn(folder), readFileSync(backup));
    const database = new Database(storeFileIn(folder));
    database.exec("insert into kysely_migration (name, timestamp) values ('9999-later', 'now')");
    database.close();
    writeFileSync(newer, readFileSync(storeFileIn(folder)));
    const restoring = restore(newer, { isReplacing: true });
    await expect(restoring).rejects.toThrow(
      /newer: the store schema is newer than this version of Hostler supports \(it has the migration 9999-later\); restore it with the version/,
    );
    await expect(restoring).rejects.not.toThrow(LastingError);
    expect(files()).toEqual(['hostler.sqlite']);
  });

  test('beside a service that runs is refused', async () => {
    const unlock = lockFolder(data);
    await expect(restore(backup)).rejects.toThrow(/in use by another Hostler/);
    unlock();
    expect(existsSync(storeFileIn(data))).toBe(false);
  });
});
