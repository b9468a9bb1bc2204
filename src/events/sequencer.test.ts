import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { happened, leaveWord } from '../../test/harness/events/happened.ts';
import type { StorePlace } from '../../test/harness/stores/stores.ts';
import {
  describePostgres,
  describeStores,
  makeStorePlace,
  openPlace,
} from '../../test/harness/stores/stores.ts';
import { until } from '../../test/harness/until.ts';
import type { Address } from '../domain/addresses/address.ts';
import type { LogEntry } from '../domain/events/event-log.ts';
import { newHost } from '../domain/hosts/host.ts';
import { toRecordName } from '../domain/record-name.ts';
import { systemClock } from '../lib/time/clock.ts';
import type { Store } from '../store/store.ts';
import { entryHash } from './hash-chain.ts';
import { Sequencer } from './sequencer.ts';

const KEY = createSecretKey(Buffer.alloc(32, 1));
const log = { error: () => {} };

let place: StorePlace;
let stores: Store[];
let sequencers: Sequencer[];
beforeEach(() => {
  stores = [];
  sequencers = [];
});
afterEach(async () => {
  for (const each of [...sequencers].reverse()) await each.stop();
  for (const each of stores) await each.close();
  await place.remove();
});

const open = async (): Promise<Store> => {
  const store = await openPlace(place);
  stores.push(store);
  return store;
};
const start = (store: Store): Sequencer => {
  const sequencer = Sequencer.start({ store, clock: systemClock, log, key: KEY });
  sequencers.push(sequencer);
  return sequencer;
};
const readLog = (store: Store) => store.reads.eventLog.after(0, 10_000);
const subjects = (entries: readonly LogEntry[]) => entries.map(({ subject }) => subject);

/** Numbers without gaps from 1 on, and every hash over the one before. */
function expectIntact(entries: readonly LogEntry[]) {
  expect(entries.map(({ id }) => id)).toEqual(entries.map((_, index) => index + 1));
  let before = '';
  for (const { id, hash, ...entry } of entries) {
    expect(hash).toBe(entryHash(KEY, before, id, entry));
    before = hash;
  }
}

describeStores(
  kind => `a sequencer, on ${kind}`,
  kind => {
    beforeEach(async () => {
      place = await makeStorePlace(kind, { isForgetful: true });
    });

    test('moves what was told into the log, in its order, and what comes later', async () => {
      const store = await open();
      await leaveWord(store, happened('a'), happened('b'));
      const sequencer = start(store);
      await sequencer.flush();
      expect(subjects(await readLog(store))).toEqual(['a', 'b']);
      await leaveWord(store, happened('c'));
      await until('the third', async () => (await readLog(store)).length === 3);
      expectIntact(await readLog(store));
      expect(await store.reads.outbox.isEmpty()).toBe(true);
      expect(await store.reads.eventLog.getState()).toMatchObject({
        lastId: 3,
        firstId: 1,
        firstReadableId: 1,
      });
    });

    test('that dies before it commits leaves everything to the next, which moves each once', async () => {
      const store = await open();
      await leaveWord(store, happened('a'), happened('b'));
      let deaths = 0;
      const dying: Store = {
        ...store,
        transaction: run =>
          store.transaction(async records => {
            await run(records);
            deaths += 1;
            throw new Error('dead');
          }),
      };
      const first = start(dying);
      await until('a death', () => deaths > 0);
      await first.stop();
      expect(await readLog(store)).toEqual([]);
      await start(store).flush();
      expect(subjects(await readLog(store))).toEqual(['a', 'b']);
      expectIntact(await readLog(store));
    });

    test('tells how a cluster is when that has changed, and only then', async () => {
      const store = await open();
      const [cluster, address] = [toRecordName('c'), '127.0.0.1' as Address];
      await store.transaction(async records => {
        await records.driverRecords.insertOrLock('network', {
          ...{ name: toRecordName('n'), type: 'none', options: {}, sealedOptions: {}, revision: 'r' },
        });
        const record = { name: cluster, network: toRecordName('n'), containerManager: null, revision: 'r' };
        await records.clusters.insertOrLock(record);
        await records.hosts.insertOrLock(newHost(address, { enrolment: 'e', cluster }));
      });
      const sequencer = start(store);
      const about = happened('127.0.0.1', { type: 'host.status', cluster, host: address });
      const statusEvents = async () => {
        await leaveWord(store, about, about);
        await sequencer.flush();
        const statuses = (await readLog(store)).filter(({ type }) => type === 'cluster.status');
        return statuses.map(({ dataJson }) => dataJson);
      };
      const [degraded, failed, ok] = [
        '{"from":"ok","to":"degraded"}',
        '{"from":"degraded","to":"failed"}',
        '{"from":"failed","to":"ok"}',
      ];
      expect(await statusEvents()).toEqual([degraded]);
      expect(await statusEvents()).toEqual([degraded]);
      await store.transaction(records => records.hosts.setStatus([address], 'failed'));
      expect(await statusEvents()).toEqual([degraded, failed]);
      await store.transaction(records => records.hosts.setStatus([address], 'active'));
      expect(await statusEvents()).toEqual([degraded, failed, ok]);
      expectIntact(await readLog(store));
    });
  },
);

describePostgres('sequencers on one PostgreSQL', () => {
  beforeEach(async () => {
    place = await makeStorePlace('postgres', { isForgetful: true });
  });

  test('give what commits late a later number, and lose nothing', async () => {
    const store = await open();
    const sequencer = start(store);
    const isWritten = Promise.withResolvers<void>();
    const canCommit = Promise.withResolvers<void>();
    const late = store.transaction(async records => {
      await records.outbox.add([happened('late', { dataJson: '{"turn":1}' })]);
      await records.outbox.add([happened('late', { dataJson: '{"turn":2}' })]);
      isWritten.resolve();
      await canCommit.promise;
    });
    await isWritten.promise;
    await leaveWord(store, happened('early'));
    await sequencer.flush();
    expect(subjects(await readLog(store))).toEqual(['early']);
    canCommit.resolve();
    await late;
    await sequencer.flush();
    const entries = await readLog(store);
    expect(entries.map(({ subject, dataJson }) => `${subject} ${dataJson}`)).toEqual([
      'early {"type":"none"}',
      'late {"turn":1}',
      'late {"turn":2}',
    ]);
    expectIntact(entries);
  });

  test('move each entry once, each subject in its order', async () => {
    const [one, other] = [await open(), await open()];
    const both = [start(one), start(other)];
    const writeEntries = async (store: Store, subject: string) => {
      for (let turn = 1; turn <= 10; turn += 1)
        await leaveWord(store, happened(subject, { requestId: String(turn) }));
    };
    await Promise.all(
      [one, other].flatMap((store, server) =>
        ['a', 'b', 'c'].map(name => writeEntries(store, `${name}-${server}`)),
      ),
    );
    await Promise.all(both.map(each => each.flush()));
    const entries = await readLog(one);
    expect(entries).toHaveLength(60);
    expectIntact(entries);
    for (const subject of new Set(subjects(entries))) {
      const requestIds = entries.filter(entry => entry.subject === subject).map(({ requestId }) => requestId);
      expect(requestIds).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    }
  });
});
