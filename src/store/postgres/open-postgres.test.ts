// What PostgreSQL alone must do, beside the conformance suite of all stores.

import pg from 'pg';
import { expect, test } from 'vitest';
import { proxiedPostgres } from '../../../test/harness/stores/proxied-postgres.ts';
import { describePostgres, makeStorePlace } from '../../../test/harness/stores/stores.ts';
import { until } from '../../../test/harness/until.ts';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { openPostgres } from './open-postgres.ts';
import { openPool } from './pool.ts';

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
    const asked = async (url: string) => {
      const pool = openPool(url, { size: 1, answerWithinMs: 1000 });
      const shown = async (name: string) => (await pool.query(`show ${name}`)).rows[0][name];
      const answers = [
        await shown('idle_in_transaction_session_timeout'),
        await shown('lock_timeout'),
        await shown('statement_timeout'),
      ];
      await pool.end();
      return answers;
    };
    expect(await asked(place.location)).toEqual(['3s', '4s', '5s']);
    const other = new URL(place.location);
    other.searchParams.set('options', '-c statement_timeout=8000');
    expect(await asked(other.href)).toEqual(['3s', '4s', '8s']);
    await place.remove();
  });

  test('has as many connections as it may, and no more', async () => {
    const place = await makeStorePlace('postgres');
    const store = await openPostgres(place.location, { connections: 5 });
    const count =
      "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'hostler'";
    const admin = new pg.Client({ connectionString: place.location });
    await admin.connect();
    const { promise: counted, resolve } = Promise.withResolvers<void>();
    let begun = 0;
    const transactions = Array.from({ length: 8 }, () =>
      store.transaction(async records => {
        begun += 1;
        await records.nowMs();
        await counted;
      }),
    );
    await until('five have begun', () => begun === 5);
    expect((await admin.query(count)).rows).toEqual([{ count: '5' }]);
    resolve();
    await Promise.all(transactions);
    await admin.end();
    await store.close();
    await place.remove();
  });

  test('that does not answer any more is told as unavailable, also in a transaction, and is not waited for at the end', async () => {
    const { proxy, through, remove } = await proxiedPostgres();
    const store = await openPostgres(through, { answerWithinMs: 300 });
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
    await expect(openPostgres(url.href)).rejects.toThrow(PlainError);
    await expect(openPostgres(url.href)).rejects.toThrow('check the setting store');
    url.username = 'nobody';
    await expect(openPostgres(url.href)).rejects.toThrow(PlainError);
    await place.remove();
  });
});
