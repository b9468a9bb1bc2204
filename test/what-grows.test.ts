import { readFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { settingKeys } from '../src/server/configuration/settings.ts';
import { makeStorePlace, openPlace } from './harness/stores/stores.ts';

const PAGE = path.join(import.meta.dirname, '../docs/admin/data-retention.md');

test('every table of the store is on the page that says what cuts it off', async () => {
  const place = await makeStorePlace('sqlite', { isForgetful: true });
  onTestFinished(() => place.remove());
  await (await openPlace(place)).close();
  const database = new Database(path.join(place.folder, 'hostler.sqlite'), { readonly: true });
  const tables = database
    .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all();
  database.close();
  const [, ofStore = ''] = readFileSync(PAGE, 'utf8').split(/^## /m);
  const firstCells = [...ofStore.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell = '']) => cell);
  const named = firstCells.flatMap(cell => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.toSorted()).toEqual(tables.toSorted());
});

test('every limit of a number that can be set is on the page, among what bounds the memory, and no other', () => {
  const [, , ofMemory = ''] = readFileSync(PAGE, 'utf8').split(/^## /m);
  const named = new Set([...ofMemory.matchAll(/`(limit_\w+)`/g)].map(([, name = '']) => name));
  const limits = settingKeys.filter(key => key.startsWith('limit_'));
  const ofNumbers = limits.filter(key => !key.endsWith('_s'));
  expect([...named]).toEqual(expect.arrayContaining(ofNumbers));
  expect(limits).toEqual(expect.arrayContaining([...named]));
});
