import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import { newOperation, OPERATION_REQUEST } from '../../../test/harness/stores/operation-fixtures.ts';
import type { TestDatabase } from '../../../test/harness/stores/stores.ts';
import { createTestDatabase, openTestDatabase } from '../../../test/harness/stores/stores.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { formatTimestamp } from '../../domain/timestamp.ts';
import type { Store } from '../../store/store.ts';
import { startOperationPruning } from './prune-operations.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('startOperationPruning', () => {
  let database: TestDatabase;
  let store: Store;
  /** Clock of the store. */
  let storeClock: Pick<VirtualClock, 'now'>;
  let pendingTransactions: number;
  let isStoreDown: boolean;
  const warnings: string[] = [];
  beforeEach(async () => {
    database = await createTestDatabase('sqlite', { isMigrated: true });
    storeClock = new VirtualClock();
    store = await openTestDatabase(database, { clock: { now: () => storeClock.now() } });
    [pendingTransactions, isStoreDown] = [0, false];
    warnings.length = 0;
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  function startPruning(operationRetentionMs = 10 * DAY_MS) {
    const clock = new VirtualClock({ isIdle: () => pendingTransactions === 0 });
    storeClock = clock;
    const transaction: Store['transaction'] = async run => {
      pendingTransactions += 1;
      try {
        if (isStoreDown) throw new Error('store unavailable');
        return await store.transaction(run);
      } finally {
        pendingTransactions -= 1;
      }
    };
    const log = {
      debug: () => {},
      info: () => {},
      error: () => {},
      warn: (_: unknown, message?: string) => warnings.push(message ?? ''),
    };
    const settings = {
      ...{
        leaseMs: 1,
        checkIntervalMs: 1,
        factsIntervalMs: 1,
        connectTimeoutMs: 1,
        maxTasks: 1,
        maxChecks: 1,
      },
      ...{ maxCredentialTests: 1, operationRetentionMs },
    };
    const job = startOperationPruning({ store: { ...store, transaction }, clock, log, settings });
    return { clock, stop: () => job.stop() };
  }

  const START_MS = new VirtualClock().now();
  const insertEnded = (id: string, daysAgo: number) =>
    store.transaction(async ({ operations }) => {
      const operation = newOperation(id, toRecordName('c'));
      await operations.insert(operation, OPERATION_REQUEST, 0);
      const finishedAt = formatTimestamp(START_MS - daysAgo * DAY_MS);
      await operations.updateStatus({ ...operation, state: 'finished', finishedAt }, null);
    });
  const remainingIds = async () => (await store.reads.operations.list({}, {})).items.map(({ id }) => id);

  test('removes all operations past retention at startup and keeps newer ones', async () => {
    for (let index = 0; index < 25; index += 1) await insertEnded(`old-${index}`, 11);
    await insertEnded('recent', 9);
    const { clock, stop } = startPruning();
    await clock.advance(1);
    expect(await remainingIds()).toEqual(['recent']);
    await stop();
  });

  test('removes operations when their retention ends later', async () => {
    await insertEnded('recent', 9.5);
    const { clock, stop } = startPruning();
    await clock.advance(11 * HOUR_MS);
    expect(await remainingIds()).toEqual(['recent']);
    await clock.advance(8 * HOUR_MS);
    expect(await remainingIds()).toEqual([]);
    await stop();
    expect(clock.pending).toBe(0);
  });

  test('prunes more often when the retention is one hour', async () => {
    await insertEnded('recent', 0.5 / 24);
    const { clock, stop } = startPruning(HOUR_MS);
    await clock.advance(HOUR_MS / 4);
    expect(await remainingIds()).toEqual(['recent']);
    await clock.advance(HOUR_MS / 2);
    expect(await remainingIds()).toEqual([]);
    await stop();
  });

  test('retries after a store error', async () => {
    await insertEnded('old', 11);
    isStoreDown = true;
    const { clock, stop } = startPruning();
    await clock.advance(1);
    expect(warnings).toEqual(['failed to remove old operations; retrying later']);
    isStoreDown = false;
    await clock.advance(6 * HOUR_MS);
    expect(await remainingIds()).toEqual([]);
    await stop();
  });

  test('does not prune after a stop', async () => {
    await insertEnded('old', 11);
    const { clock, stop } = startPruning();
    await stop();
    await clock.advance(DAY_MS);
    expect(await remainingIds()).toEqual(['old']);
    expect(clock.pending).toBe(0);
  });
});
