import { createSecretKey } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listOutboxEntries } from '../../test/harness/events/outbox-entries.ts';
import { VirtualClock } from '../../test/harness/simulation/virtual-clock.ts';
import type { TestDatabase } from '../../test/harness/stores/stores.ts';
import {
  createTestDatabase,
  describeByStore,
  openTestDatabase,
  runSql,
  SQLITE_UNLESS_LONG,
} from '../../test/harness/stores/stores.ts';
import { LOCAL_ACTOR } from '../domain/accounts/account.ts';
import { toOutboxEntry } from '../domain/events/domain-event.ts';
import { isPositionReadable } from '../domain/events/event-log.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import type { Clock } from '../lib/time/clock.ts';
import type { Store } from '../store/store.ts';
import { appendToChain } from './hash-chain.ts';
import { LogPruner } from './log-pruner.ts';
import { verifyLog } from './verify-log.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RETENTION_MS = 10 * DAY_MS;
const KEY = createSecretKey(Buffer.alloc(32, 7));
const START_MS = new VirtualClock().now();

describeByStore(
  kind => `LogPruner on ${kind}`,
  kind => {
    let database: TestDatabase;
    let store: Store;
    /** The clock of the store. */
    let storeClock: Pick<Clock, 'now'>;
    let pendingTransactions: number;
    /** Later transactions fail. */
    let allowedTransactions: number;
    const problems: string[] = [];
    /** The reported values of the metric. */
    const verifications: boolean[] = [];
    beforeEach(async () => {
      database = await createTestDatabase(kind, { isMigrated: true });
      storeClock = new VirtualClock();
      store = await openTestDatabase(database, { clock: { now: () => storeClock.now() } });
      [pendingTransactions, allowedTransactions] = [0, Number.POSITIVE_INFINITY];
      problems.length = 0;
      verifications.length = 0;
    });
    afterEach(async () => {
      await store.close();
      await database.remove();
    });

    function start(retentionMs = RETENTION_MS) {
      const clock = new VirtualClock({ isIdle: () => pendingTransactions === 0 });
      storeClock = clock;
      const transaction: Store['transaction'] = async run => {
        pendingTransactions += 1;
        try {
          allowedTransactions -= 1;
          if (allowedTransactions < 0) throw new Error('store unavailable');
          return await store.transaction(run);
        } finally {
          pendingTransactions -= 1;
        }
      };
      const log = { error: (_: unknown, message?: string) => problems.push(message ?? '') };
      const metrics = { logVerified: (isIntact: boolean) => verifications.push(isIntact) };
      const ports = { store: { ...store, transaction }, clock, log, key: KEY, metrics };
      return { clock, pruner: LogPruner.start(ports, retentionMs) };
    }

    const write = (count: number, daysAgo: number) =>
      store.transaction(async ({ eventLog }) => {
        const state = await eventLog.acquire();
        if (state === undefined) throw new Error('another server holds the log');
        const events = Array.from({ length: count }, (_, index) =>
          toOutboxEntry(
            { type: 'operations.paused', subject: `${index}` },
            LOCAL_ACTOR,
            formatTimestamp(START_MS - daysAgo * DAY_MS),
          ),
        );
        const next = appendToChain(KEY, state, events);
        await eventLog.append(next.added, next.state);
      });
    const verify = () => verifyLog(store, KEY, { onProgress: () => {} });
    const prunings = async () => (await listOutboxEntries(store, { type: 'log.pruned' })).map(({ data }) => data);

    test('removes old entries immediately, in batches, and records each batch', async () => {
      await write(2200, 11);
      await write(3, 9);
      const { clock, pruner } = start();
      await clock.advance(1000);
      expect(await verify()).toMatchObject({ entries: 3, oldest: { id: 2201 }, newest: { id: 2203 } });
      expect(await prunings()).toEqual([
        { first_id: 2001, entries: 2000 },
        { first_id: 2201, entries: 200 },
      ]);
      const state = await store.reads.eventLog.getState();
      expect(state).toMatchObject({ firstId: 2201, firstReadableId: 2201, prunePoint: { firstId: 2201 } });
      expect([2199, 2200].map(position => isPositionReadable(position, state))).toEqual([false, true]);
      await pruner.stop();
      expect(clock.pending).toBe(0);
    });

    test('removes entries later, when their retention time has passed', async () => {
      await write(2, 9.5);
      await write(1, 9);
      const { clock, pruner } = start();
      await clock.advance(11 * HOUR_MS);
      expect(await verify()).toMatchObject({ entries: 3 });
      await clock.advance(8 * HOUR_MS);
      expect(await verify()).toMatchObject({ entries: 1, oldest: { id: 3 } });
      await clock.advance(12 * HOUR_MS);
      expect(await verify()).toMatchObject({ entries: 0, oldest: undefined });
      expect(await prunings()).toEqual([
        { first_id: 3, entries: 2 },
        { first_id: 4, entries: 1 },
      ]);
      await pruner.stop();
      await write(1, 0);
      expect(await verify()).toMatchObject({ entries: 1, oldest: { id: 4 } });
    });

    test('runs more often with a retention time of one hour', async () => {
      await write(2, 0.5 / 24);
      const { clock, pruner } = start(HOUR_MS);
      await clock.advance(HOUR_MS / 4);
      expect(await verify()).toMatchObject({ entries: 2 });
      await clock.advance(HOUR_MS / 2);
      expect(await verify()).toMatchObject({ entries: 0 });
      await pruner.stop();
    });

    test('uses the clock of the store, not of the server', async () => {
      await write(3, 9);
      const { clock, pruner } = start();
      storeClock = new VirtualClock();
      await clock.advance(400 * DAY_MS);
      expect(await verify()).toMatchObject({ entries: 3 });
      await pruner.stop();
    });

    test('keeps an old entry behind a recent one, so that the log has no gap', async () => {
      await write(1, 11);
      await write(1, 9);
      await write(1, 11);
      const { clock, pruner } = start();
      await clock.advance(1000);
      expect(await verify()).toMatchObject({ entries: 2, oldest: { id: 2 } });
      await pruner.stop();
    });

    test('leaves a verifiable log when a server stops between batches, and the next server continues', async () => {
      await write(2200, 11);
      await write(1, 9);
      allowedTransactions = 1;
      const first = start();
      await first.clock.advance(1000);
      await first.pruner.stop();
      expect(problems).toEqual(['cannot prune the event log; retrying']);
      expect(await verify()).toMatchObject({ entries: 201, oldest: { id: 2001 } });
      allowedTransactions = Number.POSITIVE_INFINITY;
      const second = start();
      await second.clock.advance(1000);
      expect(await verify()).toMatchObject({ entries: 1, oldest: { id: 2201 } });
      expect((await prunings()).map(({ entries }) => entries)).toEqual([2000, 200]);
      await second.pruner.stop();
    });

    const OLD_DATE = `update log set at = '${formatTimestamp(START_MS - 400 * DAY_MS)}'`;
    test.each([
      ['old dates are set on all entries', OLD_DATE],
      ['an old date is set on one entry', `${OLD_DATE} where id = 1`],
      ['old dates are set and the start is moved', `${OLD_DATE}; update log_state set first_id = 3`],
      ['the oldest entry is deleted and the others get old dates', `delete from log where id = 1; ${OLD_DATE}`],
    ])('keeps all entries and reports tampering when %s in the database', async (_case, statements) => {
      await write(5, 9);
      const table = kind === 'postgres' ? ' on log' : '';
      for (const trigger of ['log_no_update', 'log_no_delete'])
        await runSql(database, `drop trigger ${trigger}${table}`);
      await runSql(database, statements);
      const before = await store.reads.eventLog.readAfter(0, 100);
      const { clock, pruner } = start();
      await clock.advance(DAY_MS);
      await pruner.stop();
      expect(await store.reads.eventLog.readAfter(0, 100)).toEqual(before);
      expect((await store.reads.eventLog.getState()).prunePoint).toBeNull();
      expect(await verify()).toHaveProperty('kind');
      expect(problems).toContain('the event log was tampered with; its old entries are not pruned');
      expect(verifications).not.toContain(true);
      const tamperEvents = await listOutboxEntries(store, { type: 'log.tampered' });
      expect(tamperEvents.map(({ data }) => data)).toEqual([
        { entry: expect.any(Number), problem: expect.stringMatching(/^the hash chain /) },
      ]);
    });

    // PostgreSQL does not allow NULL in a primary key.
    if (kind === 'sqlite')
      test('leaves an entry without an id to verification, which reports it', async () => {
        await write(2, 9);
        await runSql(
          database,
          'insert into log select null, type, subject, actor, address, request_id, at, cluster, host, operation, data_json, hash from log where id = 1',
        );
        expect(await verify()).toEqual({ id: 0, kind: 'unnumbered' });
      });

    test('reports no verification while no entry is old enough to remove', async () => {
      await write(5, 9);
      const { clock, pruner } = start();
      await clock.advance(1000);
      await pruner.stop();
      expect(verifications).toEqual([]);
    });

    test('keeps checkpoints comparable until their entry is pruned', async () => {
      await write(3, 11);
      await write(1, 9);
      const [, second, third, fourth] = await store.reads.eventLog.readAfter(0, 10);
      const { clock, pruner } = start();
      await clock.advance(1000);
      await pruner.stop();
      const compare = async (id: number, hash = '') =>
        verifyLog(store, KEY, { checkpoint: { id, hash }, onProgress: () => {} });
      expect(await compare(2, second?.hash)).toMatchObject({ checkpoint: 'pruned' });
      expect(await compare(3, third?.hash)).toMatchObject({ checkpoint: 'match' });
      expect(await compare(4, fourth?.hash)).toMatchObject({ checkpoint: 'match' });
      expect(await compare(4, third?.hash)).toMatchObject({ checkpoint: 'differs' });
      expect(await compare(5)).toMatchObject({ checkpoint: 'missing' });
    });
  },
  SQLITE_UNLESS_LONG,
);
