// Tests that only apply to PostgreSQL. `store.integration.test.ts` tests both engines.

import pg from 'pg';
import { expect, test } from 'vitest';
import { proxiedPostgres } from '../../../test/harness/stores/proxied-postgres.ts';
import { createTestDatabase, describePostgres } from '../../../test/harness/stores/stores.ts';
import { waitUntil } from '../../../test/harness/wait-until.ts';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { OperatorError } from '../../lib/errors.ts';
import { openPostgres } from './open-postgres.ts';
import { createPool } from './pool.ts';

const CLUSTER = {
  name: toRecordName('lost'),
  network: toRecordName('net'),
  containerManager: null,
  revision: 'r',
};

describePostgres('openPostgres', () => {
  test('migrates once when several servers start together', async () => {
    const database = await createTestDatabase('postgres');
    const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgres(database.location)));
    expect(await stores[0]?.reads.accounts.isEmpty()).toBe(true);
    await Promise.all(stores.map(each => each.close()));
    await database.remove();
  });

  test('runs with fsync in these tests', async () => {
    const database = await createTestDatabase('postgres');
    const client = new pg.Client({ connectionString: database.location });
    await client.connect();
    expect((await client.query('show fsync')).rows).toEqual([{ fsync: 'on' }]);
    await client.end();
    await database.remove();
  });

  test('sets session timeouts, which the URL can override', async () => {
    const database = await createTestDatabase('postgres');
    const readSettings = async (url: string) => {
      const pool = createPool(url, { size: 1, responseTimeoutMs: 1000 });
      const readSetting = async (name: string) => (await pool.query(`show ${name}`)).rows[0][name];
      const values = [
        await readSetting('idle_in_transaction_session_timeout'),
        await readSetting('lock_timeout'),
        await readSetting('statement_timeout'),
      ];
      await pool.end();
      return values;
    };
    expect(await readSettings(database.location)).toEqual(['3s', '4s', '5s']);
    const other = new URL(database.location);
    other.searchParams.set('options', '-c statement_timeout=8000');
    expect(await readSettings(other.href)).toEqual(['3s', '4s', '8s']);
    await database.remove();
  });

  test('opens no more than the maximum number of connections', async () => {
    const database = await createTestDatabase('postgres');
    const store = await openPostgres(database.location, { connections: 5 });
    const count =
      "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'hostler'";
    const admin = new pg.Client({ connectionString: database.location });
    await admin.connect();
    const { promise: isCounted, resolve } = Promise.withResolvers<void>();
    let started = 0;
    const transactions = Array.from({ length: 8 }, () =>
      store.transaction(async records => {
        started += 1;
        await records.nowMs();
        await isCounted;
      }),
    );
    await waitUntil('five transactions have started', () => started === 5);
    expect((await admin.query(count)).rows).toEqual([{ count: '5' }]);
    resolve();
    await Promise.all(transactions);
    await admin.end();
    await store.close();
    await database.remove();
  });

  test('reports a PostgreSQL that does not respond as unavailable, and closes without waiting for it', async () => {
    const { proxy, proxiedLocation, remove } = await proxiedPostgres();
    const store = await openPostgres(proxiedLocation, { responseTimeoutMs: 300 });
    const transaction = store.transaction(async records => {
      await records.clusters.insertOrLock(CLUSTER);
      proxy.stall();
      await records.clusters.lock(CLUSTER.name);
    });
    await expect(transaction).rejects.toThrow(StoreUnavailableError);
    // Uses a new connection, because the old one is unusable.
    expect(await store.reads.clusters.get(CLUSTER.name)).toBeUndefined();
    proxy.stall();
    await expect(store.hasCurrentSchema()).rejects.toThrow(StoreUnavailableError);
    await store.close();
    await remove();
  });

  test('reports a missing database or user as an operator error', async () => {
    const database = await createTestDatabase('postgres');
    const url = new URL(database.location);
    url.pathname = '/no-such-database';
    await expect(openPostgres(url.href)).rejects.toThrow(OperatorError);
    await expect(openPostgres(url.href)).rejects.toThrow('check the setting store');
    url.username = 'nobody';
    await expect(openPostgres(url.href)).rejects.toThrow(OperatorError);
    await database.remove();
  });
});
