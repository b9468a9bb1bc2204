import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailable } from '../../domain/errors.ts';
import { recordNameOf } from '../../domain/record-name.ts';
import type { Records } from '../records.ts';
import type { Store } from '../store.ts';
import { openSqlite } from './open-sqlite.ts';

const base = mkdtempSync(path.join(tmpdir(), 'hostler-sqlite-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const kept = recordNameOf('kept');
const insert = (records: Records) =>
  records.driverRecords.insertOrLock('network', {
    name: kept,
    type: 'none',
    options: {},
    sealedOptions: {},
    revision: 'r',
  });
const isKept = async (store: Store) => (await store.reads.driverRecords.get('network', kept)) !== undefined;

describe('the embedded store', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(base, 'x-'));
  });

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['was only written to', async store => store.transaction(insert)],
    [
      'was written to and read from',
      async store => {
        await store.transaction(insert);
        await store.reads.driverRecords.names('network', {});
        await store.hasCurrentSchema();
        await store.snapshot(reads => reads.hosts.list({}, {}));
      },
    ],
  ])('that %s leaves one whole file, which can be copied', async (_what, use) => {
    const store = await openSqlite(folder);
    await use(store);
    await store.close();
    expect(readdirSync(folder)).toEqual(['hostler.sqlite']);
    const copy = mkdtempSync(path.join(base, 'copy-'));
    copyFileSync(path.join(folder, 'hostler.sqlite'), path.join(copy, 'hostler.sqlite'));
    const opened = await openSqlite(copy);
    expect(await isKept(opened)).toBe(true);
    await opened.close();
  });

  test('is whole in its one file also when another process has it open', async () => {
    const store = await openSqlite(folder);
    await store.transaction(insert);
    const other = new Database(path.join(folder, 'hostler.sqlite'), { readonly: true });
    other.prepare('select count(*) from hosts').all();
    await store.close();
    const copy = mkdtempSync(path.join(base, 'copy-'));
    copyFileSync(path.join(folder, 'hostler.sqlite'), path.join(copy, 'hostler.sqlite'));
    other.close();
    const opened = await openSqlite(copy);
    expect(await isKept(opened)).toBe(true);
    await opened.close();
  });

  describe('that another process has locked', () => {
    let store: Store;
    let other: Database.Database;
    beforeEach(async () => {
      store = await openSqlite(folder);
      other = new Database(path.join(folder, 'hostler.sqlite'));
      other.exec('begin immediate');
      return async () => {
        other.close();
        await store.close();
      };
    });

    test('keeps nobody waiting but those who want to write, and lets them when it is free', async () => {
      const writing = store.transaction(insert);
      for (let turn = 0; turn < 20; turn += 1) {
        await nextTurn();
        expect(await isKept(store)).toBe(false);
      }
      other.exec('commit');
      await writing;
      expect(await isKept(store)).toBe(true);
    });

    test('is told as unavailable when that does not end', async () => {
      await expect(store.transaction(insert)).rejects.toThrow(StoreUnavailable);
      other.exec('commit');
      await store.transaction(insert);
      expect(await isKept(store)).toBe(true);
    });
  });
});
