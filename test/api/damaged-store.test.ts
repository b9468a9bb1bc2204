// A corrupt page or a dropped table, detected at startup or by a request.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import { StoreCorruptError } from '../../src/domain/errors.ts';
import { storeFilePath } from '../../src/store/sqlite/open-sqlite.ts';
import { startTestService } from '../harness/service.ts';
import { createTestDatabase, describeByStore, runSql } from '../harness/stores/stores.ts';

/** Overwrites the first page of a table on disk. */
function damage(folder: string, table: string): void {
  const file = storeFilePath(folder);
  const database = new Database(file);
  database.pragma('wal_checkpoint(truncate)');
  const pageSize = Number(database.pragma('page_size', { simple: true }));
  const rootPage = Number(database.prepare('select rootpage from sqlite_schema where name = ?').pluck().get(table));
  database.close();
  // In another process: closing the file in this process would release SQLite's locks on it.
  execFileSync('dd', [`of=${file}`, `bs=${pageSize}`, `seek=${rootPage - 1}`, 'count=1', 'conv=notrunc'], {
    input: Buffer.alloc(pageSize, 0xff),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

test('a corrupt page returns store_corrupt, makes the server not ready and fails the next start', async () => {
  const database = await createTestDatabase('sqlite');
  const settings = { HOSTLER_DATA: database.folder, HOSTLER_STORE: database.location };
  const service = await startTestService('sqlite', settings);
  expect((await service.get('/readyz', { as: null })).status).toBe(200);
  damage(database.folder, 'driver_records');
  // After a commit the other connections read changed pages again.
  expect((await service.put('/api/v0/user/ann', { password: 'a password', role: 'viewer' })).status).toBe(201);
  const { status, headers, body } = await service.get<Problem>('/api/v0/network/default');
  expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'store_corrupt', '300']);
  expect(body.detail).toMatch(/check the disk and restore a backup/);
  const ready = () => service.get<Problem>('/readyz', { as: null });
  await expect.poll(async () => (await ready()).body.code, { timeout: 10_000 }).toBe('store_corrupt');
  expect((await service.get('/api/v0/users')).status).toBe(200);
  await service.stop();
  await expect(startTestService('sqlite', settings)).rejects.toThrow(
    /hostler\.sqlite is corrupt or not a Hostler store \(.*\); restore a backup/,
  );
  await database.remove();
});

describeByStore(
  kind => `a dropped table on ${kind}`,
  kind => {
    test('returns store_corrupt at runtime and fails the next start if the startup needs the table', async () => {
      const database = await createTestDatabase(kind);
      const key = randomBytes(32).toString('base64');
      const settings = { HOSTLER_DATA: database.folder, HOSTLER_STORE: database.location, HOSTLER_SECRET_KEY: key };
      const service = await startTestService(kind, settings);
      await runSql(database, 'drop table outbox');
      const { status, body } = await service.get<Problem>('/api/v0/audit');
      expect([status, body.code]).toEqual([503, 'store_corrupt']);
      await service.stop();
      await runSql(database, 'drop table log_state');
      await expect(startTestService(kind, settings)).rejects.toThrow(StoreCorruptError);
      await database.remove();
    });
  },
);
