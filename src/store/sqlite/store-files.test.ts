import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspectStore } from './inspect-sqlite.ts';
import { openSqlite, storeFilePath } from './open-sqlite.ts';
import { backupDatabase } from './store-files.ts';

const base = mkdtempSync(path.join(tmpdir(), 'hostler-copy-'));
const source = storeFilePath(base);
beforeAll(async () => (await openSqlite(base)).close());
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe('backupDatabase', () => {
  test('copies the state at its start and ends while another connection keeps writing', async () => {
    const writer = new Database(source);
    const put = writer.prepare("insert into driver_memory (scope, key, value) values ('s', ?, ?)");
    const padding = 'x'.repeat(4000);
    // More pages than one step copies.
    writer.transaction(() => {
      for (let key = 0; key < 1500; key += 1) put.run(`before ${key}`, padding);
    })();
    const fractions: number[] = [];
    const copy = path.join(base, 'copy');
    await backupDatabase(source, copy, fraction => {
      fractions.push(fraction);
      put.run(`while ${fractions.length}`, padding);
    });
    writer.close();
    expect(fractions.length).toBeGreaterThan(2);
    expect(fractions).toEqual(fractions.toSorted((one, other) => one - other));
    expect(inspectStore(copy)).toEqual({ hosts: 0, clusters: 0 });
    const copied = new Database(copy, { readonly: true });
    const keys = copied.prepare("select key from driver_memory where scope = 's'").pluck().all();
    copied.close();
    expect(keys).toHaveLength(1500);
    expect(keys.filter(key => String(key).startsWith('while'))).toEqual([]);
    expect(readdirSync(base)).not.toContain('copy-wal');
  });
});

describe('inspectStore', () => {
  const fileWith = (name: string, content: string) => {
    const file = path.join(base, name);
    writeFileSync(file, content);
    return file;
  };

  /** A valid store in which these bytes are overwritten. */
  const storeWith = (name: string, bytes: Buffer, at: number) => {
    const file = path.join(base, name);
    const original = new Database(source);
    original.exec(`vacuum into '${file}'`);
    original.close();
    const handle = openSync(file, 'r+');
    writeSync(handle, bytes, 0, bytes.length, at);
    closeSync(handle);
    return file;
  };

  test.each([
    ['is empty', () => fileWith('empty', ''), /not a Hostler store/],
    ['is not a database', () => fileWith('text', 'not a database\n'.repeat(100)), /not a Hostler store/],
    [
      'is a database of another program',
      () => {
        const file = path.join(base, 'other');
        const other = new Database(file);
        other.exec('create table hosts (name text)');
        other.close();
        return file;
      },
      /required tables are missing/,
    ],
    ['is corrupt', () => storeWith('damaged', Buffer.alloc(4096 * 5, 0x7f), 4096 * 3), /is corrupt; SQLite reports/],
    [
      'has an unsupported schema format',
      () => storeWith('unknown', Buffer.from([0, 0, 0, 64]), 44),
      /is corrupt or not a Hostler store: unsupported file format/,
    ],
  ])('rejects a file that %s', (_case, make, problem) => {
    expect(() => inspectStore(make(), 'it')).toThrow(problem);
  });
});
