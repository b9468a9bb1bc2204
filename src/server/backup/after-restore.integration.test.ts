import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listOutboxEntries } from '../../../test/harness/events/outbox-entries.ts';
import type { TestDatabase } from '../../../test/harness/stores/stores.ts';
import { createTestDatabase, describePostgres, openTestDatabase, runSql } from '../../../test/harness/stores/stores.ts';
import { ensureDataKey } from '../../app/initialize-store.ts';
import { runAfterRestore } from './after-restore.ts';

const KEY = Buffer.alloc(32, 1);
const toSources = (store: string, key = KEY) => ({
  environment: { HOSTLER_STORE: store, HOSTLER_SECRET_KEY: key.toString('base64') },
  flags: {},
});

test('runAfterRestore() rejects the embedded store', async () => {
  await expect(runAfterRestore(toSources('sqlite'))).rejects.toThrow(/hostler restore/);
});

describePostgres('runAfterRestore() with PostgreSQL', () => {
  let storeFixture: TestDatabase;
  let output = '';
  const countRestoreEvents = async () => {
    const store = await openTestDatabase(storeFixture);
    const items = await listOutboxEntries(store, { type: 'service.restored' });
    await store.close();
    return items.length;
  };

  beforeAll(async () => {
    vi.spyOn(process.stdout, 'write').mockImplementation(text => {
      output += String(text);
      return true;
    });
    storeFixture = await createTestDatabase('postgres', { isMigrated: true });
    const store = await openTestDatabase(storeFixture);
    await ensureDataKey({ store }, () => [KEY]);
    await store.close();
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await storeFixture.remove();
  });

  test('rejects a wrong secret key and a running server, without changes', async () => {
    const wrong = toSources(storeFixture.location, Buffer.alloc(32, 2));
    await expect(runAfterRestore(wrong)).rejects.toThrow(/cannot decrypt this backup/);
    await runSql(storeFixture, "insert into servers (incarnation, lease_expires_at) values ('live', 9e15)");
    await expect(runAfterRestore(toSources(storeFixture.location))).rejects.toThrow(/stop all servers/);
    expect(await countRestoreEvents()).toBe(0);
  });

  test('sanitizes the store if the leases of all servers have expired', async () => {
    await runSql(
      storeFixture,
      "update servers set lease_expires_at = 1; insert into servers (incarnation, lease_expires_at) values ('other', 2)",
    );
    await runAfterRestore(toSources(storeFixture.location));
    expect(output).toContain('The server checks all hosts when it starts.');
    expect(await countRestoreEvents()).toBe(1);
  });
});
