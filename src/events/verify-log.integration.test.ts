import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../../test/harness/service.ts';
import { startTestService } from '../../test/harness/service.ts';
import { runSql } from '../../test/harness/stores/stores.ts';
import { loadEventLogKey } from '../app/initialize-store.ts';
import { openVault } from '../secrets/keyring.ts';
import { verifyLatest } from './verify-log.ts';

const KEY = Buffer.alloc(32, 5);
let service: TestService;
beforeAll(async () => {
  service = await startTestService('sqlite', { HOSTLER_SECRET_KEY: KEY.toString('base64') });
});
afterAll(() => service.stop());

test('verifyLatest verifies only the requested number of newest entries', async () => {
  const { store, database } = service;
  for (const name of ['a', 'b', 'c', 'd']) await service.put(`/api/v0/network/${name}`, { type: 'none', options: {} });
  await service.get('/api/v0/audit');
  const vault = await openVault(() => [KEY], store.reads.dataKeys);
  const key = await loadEventLogKey({ store, vault });
  if (!key) throw new Error('the log has no key');
  const { lastId } = await store.reads.eventLog.getState();
  expect([await verifyLatest(store, key, 3), await verifyLatest(store, key, 1000)]).toEqual([3, lastId]);

  const change = (id: number) =>
    runSql(database, `drop trigger if exists log_no_update; update log set subject = 'else' where id = ${id}`);
  const setState = (id: number) =>
    runSql(database, `update log_state set last_id = ${id}, last_hash = (select hash from log where id = ${id})`);
  await setState(lastId - 1);
  expect(await verifyLatest(store, key, 3)).toMatchObject({ kind: 'state' });
  await setState(lastId);

  await change(1);
  expect(await verifyLatest(store, key, 3)).toBe(3);
  expect(await verifyLatest(store, key, 1000)).toEqual({ id: 1, kind: 'changed' });
  await change(lastId);
  expect(await verifyLatest(store, key, 3)).toEqual({ id: lastId, kind: 'changed' });
});
