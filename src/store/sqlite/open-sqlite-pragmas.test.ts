import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from './open-sqlite.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'hostler-database-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const FULL = 2;

test.each([
  ['committed data survives a power failure', 'synchronous', FULL],
  ['readers do not wait for writers', 'journal_mode', 'wal'],
  ['deleted data cannot be read from the file', 'secure_delete', 1],
  ['foreign keys are enforced', 'foreign_keys', 1],
])('%s: the pragma %s is %s', (_case, pragma, value) => {
  const database = openDatabase(path.join(directory, 'x.sqlite'), { readonly: false });
  expect(database.pragma(pragma, { simple: true })).toBe(value);
  database.close();
});
