// The conformance suite of stores: what every engine must do. Both run it.

import { expect, test } from 'vitest';
import { onEachStoreAlone } from '../../test/harness/stores/on-each-store-alone.ts';
import { makeStorePlace, openPlace, runSql } from '../../test/harness/stores/stores.ts';
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
const host = (text: string, isInside?: string) =>
  newHost(address(text), { enrolment: 'e', cluster: isInside ? toRecordName(isInside) : null });

const insertMigration = (name: string) =>
  `insert into kysely_migration (name, timestamp) values ('${name}', '2999')`;

onEachStoreAlone('the store', { per: 'suite' }, ({ kind, store, place, openAgain }) => {
  const insertNetwork = (name: string) => async (records: Repositories) =>
    (await records.driverRecords.insertOrLock('network', network(name))) === undefined;
  const hasNetwork = async (name: string) =>
    (await store().reads.driverRecords.get('network', toRecordName(name))) !== undefined;

  test('keeps what a transaction answered', async () => {
    expect(await store().transaction(insertNetwork('kept'))).toBe(true);
    expect(await hasNetwork('kept')).toBe(true);
  });

  test('keeps nothing of a transaction that answers a Refusal, and answers that', async () => {
    const error = new AppError('conflict', 'no');
    const result = await store().transaction(async records => {
      await insertNetwork('refused')(records);
      return error;
    });
    expect(result).toBe(error);
    expect(await hasNetwork('refused')).toBe(false);
  });

  test('keeps nothing of a transaction that throws, throws that, and goes on', async () => {
    const failing = store().transaction(async records => {
      await insertNetwork('failed')(records);
      throw new Error('in the middle');
    });
    await expect(failing).rejects.toThrow('in the middle');
    expect(await hasNetwork('failed')).toBe(false);
    expect(await store().transaction(insertNetwork('after'))).toBe(true);
  });

  test('shows nobody what is not committed', async () => {
    const isInside = Promise.withResolvers<void>();
    const canContinue = Promise.withResolvers<void>();
    const transaction = store().transaction(async records => {
      await insertNetwork('unseen')(records);
      isInside.resolve();
      await canContinue.promise;
    });
    await isInside.promise;
    expect(await hasNetwork('unseen')).toBe(false);
    canContinue.resolve();
    await transaction;
    expect(await hasNetwork('unseen')).toBe(true);
  });

  test('lets one at a time change a row that it has locked', async () => {
    await store().transaction(records => records.clusters.insertOrLock(cluster('counted')));
    const increment = (records: Repositories) =>
      records.clusters.lock(toRecordName('counted')).then(async current => {
        const revision = String(Number(current?.revision === 'r' ? 0 : current?.revision) + 1);
        await records.clusters.update({ ...cluster('counted'), revision });
      });
    await Promise.all(Array.from({ length: 30 }, () => store().transaction(increment)));
    expect((await store().reads.clusters.get(toRecordName('counted')))?.revision).toBe('30');
  });

  test('lets one of many insert the same name', async () => {
    const inserted = await Promise.all(
      Array.from({ length: 20 }, () => store().transaction(insertNetwork('raced'))),
    );
    expect(inserted.filter(Boolean)).toHaveLength(1);
  });

  test('brings transactions that are in the way of each other to an end', async () => {
    await store().transaction(async records => {
      await records.clusters.insertOrLock(cluster('first'));
      await records.clusters.insertOrLock(cluster('second'));
    });
    // Changed without the lock that would have told of the wrong order.
    const both = (names: readonly string[]) => async (records: Repositories) => {
      for (const name of names) await records.clusters.update(cluster(name));
      return names[0];
    };
    const orders = Array.from({ length: 10 }, (_, index) =>
      index % 2 ? ['first', 'second'] : ['second', 'first'],
    );
    const results = await Promise.all(orders.map(names => store().transaction(both(names))));
    expect(results).toEqual(orders.map(names => names[0]));
  });

  test('orders names by code point and addresses by value', async () => {
    const names = ['b', 'B', 'a', 'Z', '_x', '-x', '0'];
    for (const name of names) {
      await store().transaction(records =>
        records.driverRecords.insertOrLock('container_manager', network(name)),
      );
    }
    for (const text of ['127.0.0.10', '::1', '127.0.0.9', '2001:db8::', '126.255.255.255']) {
      await store().transaction(records => records.hosts.insertOrLock(host(text)));
    }
    expect((await store().reads.driverRecords.listNames('container_manager', {})).items).toEqual(
      [...names].sort(),
    );
    expect((await store().reads.hosts.list({}, {})).items.map(addressOfEntry)).toEqual([
      '126.255.255.255',
      '127.0.0.9',
      '127.0.0.10',
      '::1',
      '2001:db8::',
    ]);
  });

  test('changes and locks more hosts than one statement can name', async () => {
    const many = Array.from({ length: 2500 }, (_, index) =>
      address(`127.8.${Math.floor(index / 250)}.${(index % 250) + 1}`),
    );
    await store().transaction(async records => {
      await records.clusters.insertOrLock(cluster('large'));
      for (const each of many) await records.hosts.insertOrLock(host(each));
    });
    await store().transaction(async records => {
      expect(await records.hosts.lockAll([...many].reverse())).toHaveLength(2500);
      await records.hosts.setCluster(many, toRecordName('large'));
      await records.hosts.setStatus(many, 'active');
    });
    const found = await store().reads.clusters.getWithCounts(toRecordName('large'));
    expect(found?.members).toEqual({ active: 2500 });
    expect((await store().reads.hosts.listMemberAddresses(toRecordName('large'))).items).toEqual(many);
  });

  test('reads a cluster without members as one', async () => {
    await store().transaction(records => records.clusters.insertOrLock(cluster('empty')));
    expect((await store().reads.clusters.getWithCounts(toRecordName('empty')))?.members).toEqual({});
    expect(await store().reads.clusters.getWithCounts(toRecordName('none'))).toBeUndefined();
  });

  test('keeps large numbers whole', async () => {
    const large = { ...host('127.8.255.1'), memoryKib: 2 ** 45, spaceKib: 2 ** 50, cpus: 1024 };
    await store().transaction(records => records.hosts.insertOrLock(large));
    expect(await store().reads.hosts.get(large.address)).toEqual(large);
  });

  test('remembers for drivers, each record for itself, until it is told to forget', async () => {
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
    ['nothing', undefined, undefined, true],
    ['what is there', 'old', 'old', true],
    ['another value', 'old', 'older', false],
    ['nothing where something is', 'old', undefined, false],
    ['something where nothing is', undefined, 'old', false],
  ])('writes for a driver that expects %s only if that is so', async (what, stored, from, isWritten) => {
    const memory = createDriverMemory(store(), `expects ${what}`);
    if (stored !== undefined) await memory.compareAndSet('key', undefined, stored);
    expect(await memory.compareAndSet('key', from, 'new')).toBe(isWritten);
    expect(await memory.get('key')).toBe(isWritten ? 'new' : stored);
  });

  test.each([undefined, 'old'])('lets one of many drivers win that expect %s at once', async from => {
    const memory = createDriverMemory(store(), `race from ${from}`);
    if (from !== undefined) await memory.compareAndSet('key', undefined, from);
    const values = Array.from({ length: 8 }, (_, index) => `value ${index}`);
    const won = await Promise.all(values.map(value => memory.compareAndSet('key', from, value)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await memory.get('key')).toBe(values[won.indexOf(true)]);
  });

  test('remembers nothing for a driver, and forgets nothing, once a guard forbids it', async () => {
    await createDriverMemory(store(), 'guarded').compareAndSet('key', undefined, 'kept');
    const fenced = createDriverMemory(store(), 'guarded', async () => {
      throw new Error('no more');
    });
    await expect(fenced.compareAndSet('key', 'kept', 'new')).rejects.toThrow('no more');
    await expect(fenced.compareAndSet('other', undefined, 'new')).rejects.toThrow('no more');
    await expect(fenced.delete('key')).rejects.toThrow('no more');
    expect([await fenced.get('key'), await fenced.get('other')]).toEqual(['kept', undefined]);
  });

  test('keeps the first of several data keys', async () => {
    const add = (id: string) =>
      store().transaction(records => records.dataKeys.insertIfAbsent({ id, wrapped: id }));
    await Promise.all(['x', 'y', 'z'].map(add));
    expect(await store().reads.dataKeys.all()).toHaveLength(1);
  });

  test('runs a transaction again that asks for it', async () => {
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

  test('is as good as away for a transaction that asks to be run again for ever', async () => {
    const transaction = store().transaction(async () => {
      throw new RetryTransaction();
    });
    await expect(transaction).rejects.toThrow(StoreUnavailableError);
  });

  test('refuses a transaction inside a transaction, which would wait for itself', async () => {
    const nested = store().transaction(() => store().transaction(async () => 'inner'));
    await expect(nested).rejects.toThrow('nested transaction');
    expect(await store().transaction(async () => 'free again')).toBe('free again');
  });

  test('refuses locks out of order, on every engine', async () => {
    await store().transaction(records => records.clusters.insertOrLock(cluster('ordered')));
    const wrong = store().transaction(async records => {
      await records.hosts.lock(address('127.0.0.9'));
      await records.clusters.lock(toRecordName('ordered'));
    });
    await expect(wrong).rejects.toThrow('wrong lock order: cluster ordered is locked after host');
  });

  test('does not lose anything when it is opened again', async () => {
    await store().close();
    await openAgain();
    expect(await hasNetwork('kept')).toBe(true);
    expect(await store().hasCurrentSchema()).toBe(true);
  });

  test('is opened by a visitor beside its owner', async () => {
    const attached = await openPlace(place(), { attach: true });
    await attached.transaction(insertNetwork('visited'));
    expect(await hasNetwork('visited')).toBe(true);
    await attached.close();
  });

  test('is not made by a visitor', async () => {
    const empty = await makeStorePlace(kind);
    await expect(openPlace(empty, { attach: true })).rejects.toThrow(StoreSchemaError);
    await empty.remove();
  });

  test('has the current schema unless a migration is missing, whatever else was done to it', async () => {
    const other = await makeStorePlace(kind);
    const opened = await openPlace(other);
    expect(await opened.hasCurrentSchema()).toBe(true);
    await runSql(other, insertMigration('9999-from-the-future'));
    expect(await opened.hasCurrentSchema()).toBe(true);
    await runSql(other, "delete from kysely_migration where name = '0001-initial'");
    expect(await opened.hasCurrentSchema()).toBe(false);
    await runSql(other, insertMigration('0001-initial'));
    expect(await opened.hasCurrentSchema()).toBe(true);
    await runSql(other, 'drop table kysely_migration');
    expect(await opened.hasCurrentSchema()).toBe(false);
    await opened.close();
    await other.remove();
  });

  test('goes on while a newer version adds columns to its tables', async () => {
    const grown = await makeStorePlace(kind);
    const opened = await openPlace(grown);
    const ask = async () => {
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
      await hosts.entryJson(address('127.0.0.1'));
      return hosts.get(address('127.0.0.1'));
    };
    const before = await ask();
    for (const table of ['accounts', 'clusters', 'driver_records', 'host_access', 'hosts']) {
      await runSql(grown, `alter table ${table} add column added_later text not null default 'x'`);
    }
    expect(await ask()).toEqual(before);
    await opened.close();
    await grown.remove();
  });

  test('of a newer version is refused and left as it is', async () => {
    const newer = await makeStorePlace(kind);
    const first = await openPlace(newer);
    await first.close();
    await runSql(newer, insertMigration('9999-from-the-future'));
    await expect(openPlace(newer)).rejects.toThrow(/newer than .*9999-from-the-future/);
    await expect(openPlace(newer, { attach: true })).rejects.toThrow(SchemaUnknownError);
    await newer.remove();
  });

  test('of a development version is rejected with advice, and left as it is', async () => {
    const development = await makeStorePlace(kind);
    await runSql(
      development,
      'create table kysely_migration (name varchar(255) primary key, timestamp text)',
    );
    await runSql(development, `${insertMigration('0001-records')}; ${insertMigration('0002-lists')}`);
    const advice =
      kind === 'postgres' ? 'create an empty database' : 'move hostler.sqlite out of the data directory';
    for (const attach of [false, true]) {
      const opening = openPlace(development, { attach });
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
