// The conformance suite for all store engines.

import { expect, test } from 'vitest';
import { insertHosts } from '../../test/harness/stores/insert-rows.ts';
import { createTestDatabase, describeStore, openTestDatabase, runSql } from '../../test/harness/stores/stores.ts';
import type { Address } from '../domain/addresses/address.ts';
import { parseAddress } from '../domain/addresses/address.ts';
import { AppError, RetryTransaction, StoreUnavailableError } from '../domain/errors.ts';
import { addressOfEntry, newHost } from '../domain/hosts/host.ts';
import { toRecordName } from '../domain/record-name.ts';
import { PermanentError } from '../lib/errors.ts';
import { SchemaUnknownError, StoreSchemaError } from './migrate.ts';
import type { Repositories } from './repositories/index.ts';
import { createDriverMemory } from './store.ts';

const network = (name: string) => ({
  name: toRecordName(name),
  type: 'none',
  options: {},
  sealedOptions: {},
  revision: 'r',
});
const cluster = (name: string) => ({
  name: toRecordName(name),
  network: toRecordName('net'),
  containerManager: null,
  revision: 'r',
});
const address = (text: string) => parseAddress(text) as Address;
const host = (text: string, clusterName?: string) =>
  newHost(address(text), { enrolment: 'e', cluster: clusterName ? toRecordName(clusterName) : null });

const insertMigration = (name: string) => `insert into kysely_migration (name, timestamp) values ('${name}', '2999')`;

describeStore('the store', { per: 'suite' }, ({ kind, store, database, reopen }) => {
  const insertNetwork = (name: string) => async (records: Repositories) =>
    (await records.driverRecords.insertOrLock('network', network(name))) === undefined;
  const hasNetwork = async (name: string) =>
    (await store().reads.driverRecords.get('network', toRecordName(name))) !== undefined;

  test('keeps the changes of a committed transaction', async () => {
    expect(await store().transaction(insertNetwork('kept'))).toBe(true);
    expect(await hasNetwork('kept')).toBe(true);
  });

  test('rolls back a transaction that returns an AppError, and returns the error', async () => {
    const error = new AppError('conflict', 'no');
    const result = await store().transaction(async records => {
      await insertNetwork('rolled-back')(records);
      return error;
    });
    expect(result).toBe(error);
    expect(await hasNetwork('rolled-back')).toBe(false);
  });

  test('rolls back a transaction that throws, and works afterwards', async () => {
    const failing = store().transaction(async records => {
      await insertNetwork('failed')(records);
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow('in the middle');
    expect(await hasNetwork('failed')).toBe(false);
    expect(await store().transaction(insertNetwork('after'))).toBe(true);
  });

  test('hides uncommitted changes', async () => {
    const isInside = Promise.withResolvers<void>();
    const canContinue = Promise.withResolvers<void>();
    const transaction = store().transaction(async records => {
      await insertNetwork('uncommitted')(records);
      isInside.resolve();
      await canContinue.promise;
    });
    await isInside.promise;
    expect(await hasNetwork('uncommitted')).toBe(false);
    canContinue.resolve();
    await transaction;
    expect(await hasNetwork('uncommitted')).toBe(true);
  });

  test('serializes transactions that lock the same row', async () => {
    await store().transaction(records => records.clusters.insertOrLock(cluster('counted')));
    const increment = (records: Repositories) =>
      records.clusters.lock(toRecordName('counted')).then(async current => {
        const revision = String(Number(current?.revision === 'r' ? 0 : current?.revision) + 1);
        await records.clusters.update({ ...cluster('counted'), revision });
      });
    await Promise.all(Array.from({ length: 30 }, () => store().transaction(increment)));
    expect((await store().reads.clusters.get(toRecordName('counted')))?.revision).toBe('30');
  });

  test('inserts a name only once when many transactions insert it concurrently', async () => {
    const inserted = await Promise.all(Array.from({ length: 20 }, () => store().transaction(insertNetwork('raced'))));
    expect(inserted.filter(Boolean)).toHaveLength(1);
  });

  test('completes transactions that deadlock', async () => {
    await store().transaction(async records => {
      await records.clusters.insertOrLock(cluster('first'));
      await records.clusters.insertOrLock(cluster('second'));
    });
    // Updates without locks, which would report the wrong order.
    const both = (names: readonly string[]) => async (records: Repositories) => {
      for (const name of names) await records.clusters.update(cluster(name));
      return names[0];
    };
    const orders = Array.from({ length: 10 }, (_, index) => (index % 2 ? ['first', 'second'] : ['second', 'first']));
    const results = await Promise.all(orders.map(names => store().transaction(both(names))));
    expect(results).toEqual(orders.map(names => names[0]));
  });

  test('orders names by code point and addresses by value', async () => {
    const own = await createTestDatabase(kind, { isMigrated: true });
    const opened = await openTestDatabase(own);
    const names = ['b', 'B', 'a', 'Z', '_x', '-x', '0'];
    for (const name of names) {
      await opened.transaction(records => records.driverRecords.insertOrLock('container_manager', network(name)));
    }
    for (const text of ['127.0.0.10', '::1', '127.0.0.9', '2001:db8::', '126.255.255.255']) {
      await opened.transaction(records => records.hosts.insertOrLock(host(text)));
    }
    expect((await opened.reads.driverRecords.listNames('container_manager', {})).items).toEqual([...names].sort());
    expect((await opened.reads.hosts.list({}, {})).items.map(addressOfEntry)).toEqual([
      '126.255.255.255',
      '127.0.0.9',
      '127.0.0.10',
      '::1',
      '2001:db8::',
    ]);
    await opened.close();
    await own.remove();
  });

  test('updates and locks more hosts than one statement can have', async () => {
    const many = Array.from({ length: 2500 }, (_, index) =>
      address(`127.8.${Math.floor(index / 250)}.${(index % 250) + 1}`),
    );
    await store().transaction(records => records.clusters.insertOrLock(cluster('large')));
    await insertHosts(
      database(),
      many.map(each => host(each)),
    );
    await store().transaction(async records => {
      expect(await records.hosts.lockAll([...many].reverse())).toHaveLength(2500);
      await records.hosts.setCluster(many, toRecordName('large'));
      await records.hosts.setStatus(many, 'active');
    });
    const found = await store().reads.clusters.getWithCounts(toRecordName('large'));
    expect(found?.members).toEqual({ active: 2500 });
    expect((await store().reads.hosts.listMemberAddresses(toRecordName('large'))).items).toEqual(many);
  });

  test('returns a cluster without members, and undefined for a missing cluster', async () => {
    await store().transaction(records => records.clusters.insertOrLock(cluster('empty')));
    expect((await store().reads.clusters.getWithCounts(toRecordName('empty')))?.members).toEqual({});
    expect(await store().reads.clusters.getWithCounts(toRecordName('none'))).toBeUndefined();
  });

  test('stores large numbers exactly', async () => {
    const large = { ...host('127.8.255.1'), memoryKib: 2 ** 45, spaceKib: 2 ** 50, cpus: 1024 };
    await store().transaction(records => records.hosts.insertOrLock(large));
    expect(await store().reads.hosts.get(large.address)).toEqual(large);
  });

  test('keeps the memory of drivers separate by scope until it is deleted', async () => {
    const [a, b] = [createDriverMemory(store(), 'a'), createDriverMemory(store(), 'b')];
    await a.compareAndSet('key', undefined, 'one');
    await a.compareAndSet('key', 'one', 'two');
    await a.compareAndSet('gone', undefined, 'x');
    await a.delete('gone');
    await b.compareAndSet('key', undefined, 'other');
    expect([await a.get('key'), await a.get('gone')]).toEqual(['two', undefined]);
    await store().transaction(records => records.driverMemory.deleteScope('a'));
    expect([await a.get('key'), await b.get('key')]).toEqual([undefined, 'other']);
  });

  test.each([
    ['no value', undefined, undefined, true],
    ['the current value', 'old', 'old', true],
    ['another value', 'old', 'older', false],
    ['no value instead of a value', 'old', undefined, false],
    ['a value instead of no value', undefined, 'old', false],
  ])('writes driver memory only if the expected value matches: %s', async (label, stored, expected, isWritten) => {
    const memory = createDriverMemory(store(), `expects ${label}`);
    if (stored !== undefined) await memory.compareAndSet('key', undefined, stored);
    expect(await memory.compareAndSet('key', expected, 'new')).toBe(isWritten);
    expect(await memory.get('key')).toBe(isWritten ? 'new' : stored);
  });

  test.each([undefined, 'old'])(
    'lets one of several concurrent compareAndSet calls succeed, from %s',
    async expected => {
      const memory = createDriverMemory(store(), `race from ${expected}`);
      if (expected !== undefined) await memory.compareAndSet('key', undefined, expected);
      const values = Array.from({ length: 8 }, (_, index) => `value ${index}`);
      const won = await Promise.all(values.map(value => memory.compareAndSet('key', expected, value)));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await memory.get('key')).toBe(values[won.indexOf(true)]);
    },
  );

  test('neither writes nor deletes driver memory when the fence throws', async () => {
    await createDriverMemory(store(), 'fenced').compareAndSet('key', undefined, 'kept');
    const fenced = createDriverMemory(store(), 'fenced', async () => {
      throw new Error('no more');
    });
    await expect(fenced.compareAndSet('key', 'kept', 'new')).rejects.toThrow('no more');
    await expect(fenced.compareAndSet('other', undefined, 'new')).rejects.toThrow('no more');
    await expect(fenced.delete('key')).rejects.toThrow('no more');
    expect([await fenced.get('key'), await fenced.get('other')]).toEqual(['kept', undefined]);
  });

  test('keeps the first of several data keys', async () => {
    const add = (id: string) => store().transaction(records => records.dataKeys.insertIfAbsent({ id, wrapped: id }));
    await Promise.all(['x', 'y', 'z'].map(add));
    expect(await store().reads.dataKeys.listAll()).toHaveLength(1);
  });

  test('retries a transaction that throws RetryTransaction', async () => {
    let attempts = 0;
    const result = await store().transaction(async records => {
      attempts += 1;
      await insertNetwork(`again-${attempts}`)(records);
      if (attempts < 3) throw new RetryTransaction();
      return attempts;
    });
    expect(result).toBe(3);
    expect([await hasNetwork('again-1'), await hasNetwork('again-3')]).toEqual([false, true]);
  });

  test('throws StoreUnavailableError if a transaction requests too many retries', async () => {
    const transaction = store().transaction(async () => {
      throw new RetryTransaction();
    });
    await expect(transaction).rejects.toThrow(StoreUnavailableError);
  });

  test('rejects a nested transaction', async () => {
    const nested = store().transaction(() => store().transaction(async () => 'inner'));
    await expect(nested).rejects.toThrow('nested transaction');
    expect(await store().transaction(async () => 'free again')).toBe('free again');
  });

  test('rejects a wrong lock order on every engine', async () => {
    await store().transaction(records => records.clusters.insertOrLock(cluster('ordered')));
    const wrong = store().transaction(async records => {
      await records.hosts.lock(address('127.0.0.9'));
      await records.clusters.lock(toRecordName('ordered'));
    });
    await expect(wrong).rejects.toThrow('wrong lock order: cluster ordered is locked after host');
  });

  test('keeps its data when it is opened again', async () => {
    await store().transaction(insertNetwork('durable'));
    await store().close();
    await reopen();
    expect(await hasNetwork('durable')).toBe(true);
    expect(await store().hasCurrentSchema()).toBe(true);
  });

  test('can be opened with attach next to its owner', async () => {
    const attached = await openTestDatabase(database(), { attach: true });
    await attached.transaction(insertNetwork('attached'));
    expect(await hasNetwork('attached')).toBe(true);
    await attached.close();
  });

  test('is not created with attach', async () => {
    const empty = await createTestDatabase(kind);
    await expect(openTestDatabase(empty, { attach: true })).rejects.toThrow(StoreSchemaError);
    await empty.remove();
  });

  test('has the current schema unless a migration is missing', async () => {
    const other = await createTestDatabase(kind);
    const opened = await openTestDatabase(other);
    expect(await opened.hasCurrentSchema()).toBe(true);
    await runSql(other, insertMigration('9999-from-the-future'));
    expect(await opened.hasCurrentSchema()).toBe(true);
    await runSql(other, "delete from kysely_migration where name = '0001-schema'");
    expect(await opened.hasCurrentSchema()).toBe(false);
    await runSql(other, insertMigration('0001-schema'));
    expect(await opened.hasCurrentSchema()).toBe(true);
    await runSql(other, 'drop table kysely_migration');
    expect(await opened.hasCurrentSchema()).toBe(false);
    await opened.close();
    await other.remove();
  });

  test('works while a newer version adds columns to its tables', async () => {
    const extended = await createTestDatabase(kind);
    const opened = await openTestDatabase(extended);
    const useStore = async () => {
      await opened.transaction(async records => {
        await records.accounts.lock(toRecordName('a'));
        await records.driverRecords.insertOrLock('network', network('n'));
        await records.clusters.insertOrLock(cluster('c'));
        await records.hosts.insertOrLock(host('127.0.0.1', 'c'));
      });
      const { accounts, clusters, driverRecords, hostAccess, hosts } = opened.reads;
      await accounts.get(toRecordName('a'));
      await accounts.list({});
      await clusters.get(toRecordName('c'));
      await clusters.getWithCounts(toRecordName('c'));
      await driverRecords.get('network', toRecordName('n'));
      await hostAccess.get(address('127.0.0.1'));
      await hosts.getEntry(address('127.0.0.1'));
      return hosts.get(address('127.0.0.1'));
    };
    const before = await useStore();
    for (const table of ['accounts', 'clusters', 'driver_records', 'host_access', 'hosts']) {
      await runSql(extended, `alter table ${table} add column added_later text not null default 'x'`);
    }
    expect(await useStore()).toEqual(before);
    await opened.close();
    await extended.remove();
  });

  test('is rejected and not changed if its version is newer', async () => {
    const newer = await createTestDatabase(kind);
    const first = await openTestDatabase(newer);
    await first.close();
    await runSql(newer, insertMigration('9999-from-the-future'));
    await expect(openTestDatabase(newer)).rejects.toThrow(/newer than .*9999-from-the-future/);
    await expect(openTestDatabase(newer, { attach: true })).rejects.toThrow(SchemaUnknownError);
    await newer.remove();
  });

  test('is rejected with advice and not changed if its version is a development version', async () => {
    const development = await createTestDatabase(kind);
    await runSql(development, 'create table kysely_migration (name varchar(255) primary key, timestamp text)');
    await runSql(development, `${insertMigration('0001-records')}; ${insertMigration('0002-lists')}`);
    const advice = kind === 'postgres' ? 'create an empty database' : 'move hostler.sqlite out of the data directory';
    for (const attach of [false, true]) {
      const opening = openTestDatabase(development, { attach });
      await expect(opening).rejects.toThrow(PermanentError);
      await expect(opening).rejects.toThrow(
        `the store was created by a development version of Hostler (it has the migration 0001-records) and cannot be migrated; ${advice}`,
      );
    }
    // This fails if an attempt has created its tables.
    await runSql(development, 'create table accounts (name text)');
    await development.remove();
  });
});
