import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from './open-sqlite.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-database-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FULL = 2;

test.each([
  ['what was answered survives a power cut', 'synchronous', FULL],
  ['readers do not wait for writers', 'journal_mode', 'wal'],
  ['what was deleted cannot be read from the file', 'secure_delete', 1],
  ['references are kept', 'foreign_keys', 1],
])('%s: %s is %s', (_why, pragma, value) => {
  const database = openDatabase(path.join(folder, 'x.sqlite'), { readonly: false });
  expect(database.pragma(pragma, { simple: true })).toBe(value);
  database.close();
});
