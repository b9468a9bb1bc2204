import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { toldIn } from '../../../test/harness/events/told.ts';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { describePostgres, makeStorePlace, openPlace, runSql } from '../../../test/harness/stores/stores.ts';
import { ensureDataKey } from '../../app/initialize-store.ts';
import { runAfterRestore } from './after-restore.ts';

const KEY = Buffer.alloc(32, 1);
const toSources = (store: string, key = KEY) => ({
  environment: { HOSTLER_STORE: store, HOSTLER_SECRET_KEY: key.toString('base64') },
  flags: {},
});

test('an embedded store is made safe by what restores it', async () => {
  await expect(runAfterRestore(toSources('sqlite'))).rejects.toThrow(/hostler restore/);
});

describePostgres('a PostgreSQL that was restored', () => {
  let storeFixture: StorePlace;
  let output = '';
  const countRestoreEvents = async () => {
    const store = await openPlace(storeFixture);
    const items = await toldIn(store, { type: 'service.restored' });
    await store.close();
    return items.length;
  };

  beforeAll(async () => {
    vi.spyOn(process.stdout, 'write').mockImplementation(text => {
      output += String(text);
      return true;
    });
    storeFixture = await makeStorePlace('postgres');
    const store = await openPlace(storeFixture);
    await ensureDataKey({ store }, () => [KEY]);
    await store.close();
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await storeFixture.remove();
  });

  test('is left as it is with another secret key, and while a server is at work on it', async () => {
    const wrong = toSources(storeFixture.location, Buffer.alloc(32, 2));
    await expect(runAfterRestore(wrong)).rejects.toThrow(/cannot decrypt this backup/);
    await runSql(storeFixture, "insert into servers (incarnation, lease_expires_at) values ('live', 9e15)");
    await expect(runAfterRestore(toSources(storeFixture.location))).rejects.toThrow(/stop all servers/);
    expect(await countRestoreEvents()).toBe(0);
  });

  test('is made safe when only servers are in it that are long gone', async () => {
    await runSql(
      storeFixture,
      "update servers set lease_expires_at = 1; insert into servers (incarnation, lease_expires_at) values ('other', 2)",
    );
    await runAfterRestore(toSources(storeFixture.location));
    expect(output).toContain('The server checks all hosts when it starts.');
    expect(await countRestoreEvents()).toBe(1);
  });
});
