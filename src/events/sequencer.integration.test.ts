import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addOutboxEntries, outboxEntry } from '../../test/harness/events/outbox-entries.ts';
import type { TestDatabase } from '../../test/harness/stores/stores.ts';
import {
  createTestDatabase,
  describeByStore,
  describePostgres,
  openTestDatabase,
} from '../../test/harness/stores/stores.ts';
import { waitUntil } from '../../test/harness/wait-until.ts';
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

let database: TestDatabase;
let stores: Store[];
let sequencers: Sequencer[];
beforeEach(() => {
  stores = [];
  sequencers = [];
});
afterEach(async () => {
  for (const each of [...sequencers].reverse()) await each.stop();
  for (const each of stores) await each.close();
  await database.remove();
});

const open = async (): Promise<Store> => {
  const store = await openTestDatabase(database);
  stores.push(store);
  return store;
};
const start = (store: Store): Sequencer => {
  const sequencer = Sequencer.start({ store, clock: systemClock, log, key: KEY });
  sequencers.push(sequencer);
  return sequencer;
};
const readLog = (store: Store) => store.reads.eventLog.readAfter(0, 10_000);
const subjects = (entries: readonly LogEntry[]) => entries.map(({ subject }) => subject);

/** Expects ids without gaps from 1, and a valid hash chain. */
function expectIntact(entries: readonly LogEntry[]) {
  expect(entries.map(({ id }) => id)).toEqual(entries.map((_, index) => index + 1));
  let before = '';
  for (const { id, hash, ...entry } of entries) {
    expect(hash).toBe(entryHash(KEY, before, id, entry));
    before = hash;
  }
}

describeByStore(
  kind => `Sequencer on ${kind}`,
  kind => {
    beforeEach(async () => {
      database = await createTestDatabase(kind, { isMigrated: true });
    });

    test('moves outbox entries to the log in order, also entries that arrive later', async () => {
      const store = await open();
      await addOutboxEntries(store, outboxEntry('a'), outboxEntry('b'));
      const sequencer = start(store);
      await sequencer.flush();
      expect(subjects(await readLog(store))).toEqual(['a', 'b']);
      await addOutboxEntries(store, outboxEntry('c'));
      await waitUntil('the third entry', async () => (await readLog(store)).length === 3);
      expectIntact(await readLog(store));
      expect(await store.reads.outbox.isEmpty()).toBe(true);
      expect(await store.reads.eventLog.getState()).toMatchObject({
        lastId: 3,
        firstId: 1,
        firstReadableId: 1,
      });
    });

    test('leaves the entries to the next sequencer, which moves each once, when its transaction fails', async () => {
      const store = await open();
      await addOutboxEntries(store, outboxEntry('a'), outboxEntry('b'));
      let failures = 0;
      const failingStore: Store = {
        ...store,
        transaction: run =>
          store.transaction(async records => {
            await run(records);
            failures += 1;
            throw new Error('server died');
          }),
      };
      const first = start(failingStore);
      await waitUntil('a failed transaction', () => failures > 0);
      await first.stop();
      expect(await readLog(store)).toEqual([]);
      await start(store).flush();
      expect(subjects(await readLog(store))).toEqual(['a', 'b']);
      expectIntact(await readLog(store));
    });

    test('records the status of a cluster only when it has changed', async () => {
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
      const statusEvent = outboxEntry('127.0.0.1', { type: 'host.status', cluster, host: address });
      const statusEvents = async () => {
        await addOutboxEntries(store, statusEvent, statusEvent);
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

describePostgres('several Sequencers on one PostgreSQL', () => {
  beforeEach(async () => {
    database = await createTestDatabase('postgres', { isMigrated: true });
  });

  test('give entries that commit late a later id, and lose none', async () => {
    const store = await open();
    const sequencer = start(store);
    const isWritten = Promise.withResolvers<void>();
    const canCommit = Promise.withResolvers<void>();
    const late = store.transaction(async records => {
      await records.outbox.add([outboxEntry('late', { dataJson: '{"number":1}' })]);
      await records.outbox.add([outboxEntry('late', { dataJson: '{"number":2}' })]);
      isWritten.resolve();
      await canCommit.promise;
    });
    await isWritten.promise;
    await addOutboxEntries(store, outboxEntry('early'));
    await sequencer.flush();
    expect(subjects(await readLog(store))).toEqual(['early']);
    canCommit.resolve();
    await late;
    await sequencer.flush();
    const entries = await readLog(store);
    expect(entries.map(({ subject, dataJson }) => `${subject} ${dataJson}`)).toEqual([
      'early {"type":"none"}',
      'late {"number":1}',
      'late {"number":2}',
    ]);
    expectIntact(entries);
  });

  test('move each entry once and keep the order within a subject', async () => {
    const [one, other] = [await open(), await open()];
    const both = [start(one), start(other)];
    const writeEntries = async (store: Store, subject: string) => {
      for (let count = 1; count <= 10; count += 1)
        await addOutboxEntries(store, outboxEntry(subject, { requestId: String(count) }));
    };
    await Promise.all(
      [one, other].flatMap((store, server) => ['a', 'b', 'c'].map(name => writeEntries(store, `${name}-${server}`))),
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
