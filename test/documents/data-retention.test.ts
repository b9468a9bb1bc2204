import { readFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { settingKeys } from '../../src/server/configuration/settings.ts';
import { storeFilePath } from '../../src/store/sqlite/open-sqlite.ts';
import { createTestDatabase, openTestDatabase } from '../harness/stores/stores.ts';

const PAGE = path.join(import.meta.dirname, '../../docs/admin/data-retention.md');

test('data-retention.md lists exactly the tables of the store', async () => {
  const testDatabase = await createTestDatabase('sqlite');
  onTestFinished(() => testDatabase.remove());
  await (await openTestDatabase(testDatabase)).close();
  const database = new Database(storeFilePath(testDatabase.folder), { readonly: true });
  const tables = database
    .prepare<[], string>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .pluck()
    .all();
  database.close();
  const [, storeSection = ''] = readFileSync(PAGE, 'utf8').split(/^## /m);
  const firstCells = [...storeSection.matchAll(/^\| (`[^|]*`) \|/gm)].map(([, cell = '']) => cell);
  const named = firstCells.flatMap(cell => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(named.toSorted()).toEqual(tables.toSorted());
});

test('data-retention.md lists every numeric limit setting in the section about memory', () => {
  const [, , memorySection = ''] = readFileSync(PAGE, 'utf8').split(/^## /m);
  const named = new Set([...memorySection.matchAll(/`(limit_\w+)`/g)].map(([, name = '']) => name));
  const limits = settingKeys.filter(key => key.startsWith('limit_'));
  const numericLimits = limits.filter(key => !key.endsWith('_s'));
  expect([...named]).toEqual(expect.arrayContaining(numericLimits));
  expect(limits).toEqual(expect.arrayContaining([...named]));
});
