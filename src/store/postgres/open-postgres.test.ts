// What PostgreSQL alone must do, beside the conformance suite of all stores.

import pg from 'pg';
import { expect, test } from 'vitest';
import { proxiedPostgres } from '../../../test/harness/stores/proxied-postgres.ts';
import { describePostgres, makeStorePlace } from '../../../test/harness/stores/stores.ts';
import { until } from '../../../test/harness/until.ts';
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

describePostgres('PostgreSQL', () => {
  test('is migrated once by servers that start together', async () => {
    const place = await makeStorePlace('postgres');
    const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgres(place.location)));
    expect(await stores[0]?.reads.accounts.isEmpty()).toBe(true);
    await Promise.all(stores.map(each => each.close()));
    await place.remove();
  });

  test('runs with fsync on in these tests', async () => {
    const place = await makeStorePlace('postgres');
    const client = new pg.Client({ connectionString: place.location });
    await client.connect();
    expect((await client.query('show fsync')).rows).toEqual([{ fsync: 'on' }]);
    await client.end();
    await place.remove();
  });

  test('keeps to limits, so that what hangs holds up nobody for long, and the URL may ask for others', async () => {
    const place = await makeStorePlace('postgres');
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
    expect(await readSettings(place.location)).toEqual(['3s', '4s', '5s']);
    const other = new URL(place.location);
    other.searchParams.set('options', '-c statement_timeout=8000');
    expect(await readSettings(other.href)).toEqual(['3s', '4s', '8s']);
    await place.remove();
  });

  test('has as many connections as it may, and no more', async () => {
    const place = await makeStorePlace('postgres');
    const store = await openPostgres(place.location, { connections: 5 });
    const count =
      "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'hostler'";
    const admin = new pg.Client({ connectionString: place.location });
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
    await until('five have begun', () => started === 5);
    expect((await admin.query(count)).rows).toEqual([{ count: '5' }]);
    resolve();
    await Promise.all(transactions);
    await admin.end();
    await store.close();
    await place.remove();
  });

  test('that does not answer any more is told as unavailable, also in a transaction, and is not waited for at the end', async () => {
    const { proxy, through, remove } = await proxiedPostgres();
    const store = await openPostgres(through, { responseTimeoutMs: 300 });
    const transaction = store.transaction(async records => {
      await records.clusters.insertOrLock(CLUSTER);
      proxy.freeze();
      await records.clusters.lock(CLUSTER.name);
    });
    await expect(transaction).rejects.toThrow(StoreUnavailableError);
    // A new connection, since the old one is of no use; it goes through.
    expect(await store.reads.clusters.get(CLUSTER.name)).toBeUndefined();
    proxy.freeze();
    await expect(store.hasCurrentSchema()).rejects.toThrow(StoreUnavailableError);
    await store.close();
    await remove();
  });

  test('that has no such database, or not this user, says so without a stack', async () => {
    const place = await makeStorePlace('postgres');
    const url = new URL(place.location);
    url.pathname = '/no-such-database';
    await expect(openPostgres(url.href)).rejects.toThrow(OperatorError);
    await expect(openPostgres(url.href)).rejects.toThrow('check the setting store');
    url.username = 'nobody';
    await expect(openPostgres(url.href)).rejects.toThrow(OperatorError);
    await place.remove();
  });
});
