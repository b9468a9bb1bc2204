import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { CpuThrottle } from '../../lib/concurrency.ts';
import type { Repositories } from '../repositories/index.ts';
import type { Store } from '../store.ts';
import { openSqlite } from './open-sqlite.ts';

const base = mkdtempSync(path.join(tmpdir(), 'hostler-sqlite-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const NETWORK = toRecordName('kept');
const insert = (records: Repositories) =>
  records.driverRecords.insertOrLock('network', {
    name: NETWORK,
    type: 'none',
    options: {},
    sealedOptions: {},
    revision: 'r',
  });
const hasNetwork = async (store: Store) => (await store.reads.driverRecords.get('network', NETWORK)) !== undefined;

describe('the SQLite store', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(base, 'x-'));
  });

  test.each<[string, (store: Store) => Promise<unknown>]>([
    ['was only written to', async store => store.transaction(insert)],
    [
      'was written to and read from',
      async store => {
        await store.transaction(insert);
        await store.reads.driverRecords.listNames('network', {});
        await store.hasCurrentSchema();
        await store.snapshot(reads => reads.hosts.list({}, {}));
      },
    ],
  ])('leaves one complete file after close if it %s', async (_case, use) => {
    const store = await openSqlite(directory);
    await use(store);
    await store.close();
    expect(readdirSync(directory)).toEqual(['hostler.sqlite']);
    const copy = mkdtempSync(path.join(base, 'copy-'));
    copyFileSync(path.join(directory, 'hostler.sqlite'), path.join(copy, 'hostler.sqlite'));
    const opened = await openSqlite(copy);
    expect(await hasNetwork(opened)).toBe(true);
    await opened.close();
  });

  describe('with a CPU throttle', () => {
    /** Reads until the condition is true, for at most ten seconds. */
    const readUntil = async (records: Repositories, isEnough: () => boolean) => {
      const deadline = performance.now() + 10_000;
      while (!isEnough() && performance.now() < deadline) await records.driverRecords.listNames('network', {});
    };

    test('serves other reads during a long transaction, without its uncommitted changes', async () => {
      const store = await openSqlite(directory, { throttle: new CpuThrottle() });
      let [reads, isBodyDone, wasSeen] = [0, false, false];
      const transaction = store
        .transaction(async records => {
          await insert(records);
          await readUntil(records, () => reads > 3);
          isBodyDone = true;
        })
        .finally(() => {
          isBodyDone = true;
        });
      while (!isBodyDone) {
        const isShown = await hasNetwork(store);
        // A read that ends after the body may see the commit.
        wasSeen ||= isShown && !isBodyDone;
        if (!isBodyDone) reads += 1;
        await nextLoopIteration();
      }
      await transaction;
      expect(reads).toBeGreaterThan(3);
      expect([wasSeen, await hasNetwork(store)]).toEqual([false, true]);
      await store.close();
    });

    test('runs no statement of a transaction that was rolled back', async () => {
      const store = await openSqlite(directory, { throttle: new CpuThrottle() });
      let lateInsert: Promise<unknown> = Promise.resolve();
      const transaction = store.transaction(async records => {
        const endsAt = performance.now() + 20;
        while (performance.now() < endsAt);
        lateInsert = insert(records).catch((error: Error) => error.message);
        throw new Error('rolled back');
      });
      await expect(transaction).rejects.toThrow('rolled back');
      expect(await lateInsert).toBe('the transaction of this statement has already ended');
      expect(await hasNetwork(store)).toBe(false);
      await store.close();
    });

    test('rejects a waiting read when the store is closed', async () => {
      // The time of each iteration of the event loop is already used up.
      let ms = 0;
      const clock = { monotonicMs: () => (ms += 1) };
      const store = await openSqlite(directory, { throttle: new CpuThrottle(2, clock) });
      await nextLoopIteration();
      const reads = [store.reads.eventLog.getState(), store.reads.eventLog.getState(), store.reads.eventLog.getState()];
      await store.close();
      const results = await Promise.allSettled(reads);
      expect(results.at(-1)).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailableError) });
    });

    test('closes after the running transaction', async () => {
      const store = await openSqlite(directory, { throttle: new CpuThrottle() });
      const transaction = store.transaction(async records => {
        await insert(records);
        const endsAt = performance.now() + 100;
        await readUntil(records, () => performance.now() > endsAt);
      });
      await nextLoopIteration();
      await store.close();
      await transaction;
      const opened = await openSqlite(directory);
      expect(await hasNetwork(opened)).toBe(true);
      await opened.close();
    });
  });

  test.each([
    ['a trigger', 'create trigger hides after insert on outbox begin delete from outbox where id = new.id; end'],
    [
      'a trigger that looks like one of Hostler',
      "create trigger hides after insert on outbox begin delete from outbox where id = new.id; -- begin select raise(abort, 'x');\nend",
    ],
    ['a view', 'create view shows as select * from accounts'],
  ])(
    'is rejected by the service and by commands if it has %s that Hostler did not create',
    async (_case, statement) => {
      await (await openSqlite(directory)).close();
      const other = new Database(path.join(directory, 'hostler.sqlite'));
      other.exec(statement);
      other.close();
      for (const attach of [false, true])
        await expect(openSqlite(directory, { attach })).rejects.toThrow(
          /has triggers, views or virtual tables that Hostler does not create \((hides|shows)\)/,
        );
    },
  );

  test('writes everything into one file even if another process has it open', async () => {
    const store = await openSqlite(directory);
    await store.transaction(insert);
    const other = new Database(path.join(directory, 'hostler.sqlite'), { readonly: true });
    other.prepare('select count(*) from hosts').all();
    await store.close();
    const copy = mkdtempSync(path.join(base, 'copy-'));
    copyFileSync(path.join(directory, 'hostler.sqlite'), path.join(copy, 'hostler.sqlite'));
    other.close();
    const opened = await openSqlite(copy);
    expect(await hasNetwork(opened)).toBe(true);
    await opened.close();
  });

  describe('while another process holds the write lock', () => {
    let store: Store;
    let other: Database.Database;
    /** Time passes each time the store reads its clock. */
    let waited: { ms: number; stepMs: number };
    beforeEach(async () => {
      waited = { ms: 0, stepMs: 0 };
      store = await openSqlite(directory, { lockClock: { monotonicMs: () => (waited.ms += waited.stepMs) } });
      other = new Database(path.join(directory, 'hostler.sqlite'));
      other.exec('begin immediate');
      return async () => {
        other.close();
        await store.close();
      };
    });

    test('delays only writes, and runs them when the lock is free', async () => {
      const transaction = store.transaction(insert);
      for (let round = 0; round < 20; round += 1) {
        await nextLoopIteration();
        expect(await hasNetwork(store)).toBe(false);
      }
      other.exec('commit');
      await transaction;
      expect(await hasNetwork(store)).toBe(true);
    });

    test('reports unavailable if the lock is held too long', async () => {
      waited = { ms: 0, stepMs: 1000 };
      await expect(store.transaction(insert)).rejects.toThrow(StoreUnavailableError);
      expect(waited.ms).toBeGreaterThan(5000);
      other.exec('commit');
      await store.transaction(insert);
      expect(await hasNetwork(store)).toBe(true);
    });
  });
});
