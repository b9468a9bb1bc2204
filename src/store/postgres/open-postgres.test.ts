// What PostgreSQL alone must do, beside the conformance suite of all stores.

import path from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startProxy } from '../../../test/harness/proxy.ts';
import { describePostgres, makeStorePlace } from '../../../test/harness/stores.ts';
import { StoreUnavailable } from '../../domain/errors.ts';
import { recordNameOf } from '../../domain/record-name.ts';
import { PlainError } from '../../lib/plain-error.ts';
import { openPostgres } from './open-postgres.ts';

const CLUSTER = {
  name: recordNameOf('lost'),
  network: recordNameOf('net'),
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

  test('that went away is told as unavailable, and comes back without a restart', async () => {
    const place = await makeStorePlace('postgres');
    const store = await openPostgres(place.location);
    const admin = new pg.Client({ connectionString: place.location });
    await admin.connect();
    const cut =
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
    const transaction = store.transaction(async records => {
      await records.clusters.insertOrLock(CLUSTER);
      await admin.query(cut);
      await records.clusters.lock(CLUSTER.name);
    });
    await expect(transaction).rejects.toThrow(StoreUnavailable);
    expect(await store.reads.clusters.get(CLUSTER.name)).toBeUndefined();
    await admin.end();
    await store.close();
    await place.remove();
  });

  test('that does not answer any more is told as unavailable, also in a transaction, and is not waited for at the end', async () => {
    const place = await makeStorePlace('postgres');
    const direct = new URL(place.location);
    const proxy = await startProxy(
      path.join(direct.searchParams.get('host') ?? '', `.s.PGSQL.${direct.port || 5432}`),
    );
    const through = new URL(place.location);
    through.search = '';
    through.hostname = '127.0.0.1';
    through.port = String(proxy.port);
    const store = await openPostgres(through.href, { answerWithinMs: 300 });
    const transaction = store.transaction(async records => {
      await records.clusters.insertOrLock(CLUSTER);
      proxy.freeze();
      await records.clusters.lock(CLUSTER.name);
    });
    await expect(transaction).rejects.toThrow(StoreUnavailable);
    // A new connection, since the old one is of no use; it goes through.
    expect(await store.reads.clusters.get(CLUSTER.name)).toBeUndefined();
    proxy.freeze();
    await expect(store.hasCurrentSchema()).rejects.toThrow(StoreUnavailable);
    await store.close();
    await proxy.cut();
    await place.remove();
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
