import { readFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { makeStorePlace, openPlace } from './harness/stores/stores.ts';

const PAGE = path.join(import.meta.dirname, '../docs/reference/what-grows.md');

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
