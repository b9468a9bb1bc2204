import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { toldIn } from '../../../test/harness/events/told.ts';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { describePostgres, makeStorePlace, openPlace, runSql } from '../../../test/harness/stores/stores.ts';
import { ensureDataKey } from '../../app/keys/ensure-data-key.ts';
import { runAfterRestore } from './run-after-restore.ts';

const KEY = Buffer.alloc(32, 1);
const sourcesOf = (store: string, key = KEY) => ({
  environment: { HOSTLER_STORE: store, HOSTLER_SECRET_KEY: key.toString('base64') },
  flags: {},
});

test('an embedded store is made safe by what restores it', async () => {
  await expect(runAfterRestore(sourcesOf('sqlite'))).rejects.toThrow(/hostler restore/);
});

describePostgres('a PostgreSQL that was restored', () => {
  let place: StorePlace;
  let said = '';
  const toldTimes = async () => {
    const store = await openPlace(place);
    const items = await toldIn(store, { type: 'service.restored' });
    await store.close();
    return items.length;
  };

  beforeAll(async () => {
    vi.spyOn(process.stdout, 'write').mockImplementation(text => {
      said += String(text);
      return true;
    });
    place = await makeStorePlace('postgres');
    const store = await openPlace(place);
    await ensureDataKey({ store }, () => [KEY]);
    await store.close();
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    await place.remove();
  });

  test('is left as it is with another secret key, and while a server is at work on it', async () => {
    const wrong = sourcesOf(place.location, Buffer.alloc(32, 2));
    await expect(runAfterRestore(wrong)).rejects.toThrow(/cannot decrypt this backup/);
    await runSql(place, "insert into servers (incarnation, lease_expires_at) values ('live', 9e15)");
    await expect(runAfterRestore(sourcesOf(place.location))).rejects.toThrow(/stop all servers/);
    expect(await toldTimes()).toBe(0);
  });

  test('is made safe when only servers are in it that are long gone', async () => {
    await runSql(
      place,
      "update servers set lease_expires_at = 1; insert into servers (incarnation, lease_expires_at) values ('other', 2)",
    );
    await runAfterRestore(sourcesOf(place.location));
    expect(said).toContain('The server checks all hosts when it starts.');
    expect(await toldTimes()).toBe(1);
  });
});
