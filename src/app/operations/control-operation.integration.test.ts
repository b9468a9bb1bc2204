import { afterEach, beforeEach, expect, test } from 'vitest';
import { newOperation, OPERATION_REQUEST } from '../../../test/harness/stores/operation-fixtures.ts';
import type { TestDatabase } from '../../../test/harness/stores/stores.ts';
import { createTestDatabase, describePostgres, openTestDatabase } from '../../../test/harness/stores/stores.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { systemClock } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';
import { setGlobalPause } from './control-operation.ts';

const FUTURE_MS = 9_000_000_000_000;

// SQLite has only one writer, so nothing can run concurrently.
describePostgres('setGlobalPause', () => {
  let database: TestDatabase;
  let store: Store;
  const setPause = (isPaused: boolean) => setGlobalPause({ store, clock: systemClock }, LOCAL_ACTOR, isPaused);
  beforeEach(async () => {
    database = await createTestDatabase('postgres', { isMigrated: true });
    store = await openTestDatabase(database);
    for (const id of ['first', 'second'])
      await store.transaction(records =>
        records.operations.insert(newOperation(id, toRecordName(id)), OPERATION_REQUEST, 1),
      );
  });
  afterEach(async () => {
    await store.close();
    await database.remove();
  });

  test('waits for a reconcile in progress without blocking other operations', async () => {
    const locked = Promise.withResolvers<void>();
    let isReconciled = false;
    const reconciling = store.transaction(async records => {
      await records.operations.lock('first');
      locked.resolve();
      // Keeps the transaction active: idle transactions time out.
      while (!isReconciled) await records.nowMs();
    });
    await locked.promise;
    let isPaused = false;
    const pausing = setPause(true).then(() => {
      isPaused = true;
    });
    try {
      await expect.poll(() => store.reads.serviceFlags.isGloballyPaused(), { timeout: 3000 }).toBe(true);
      const other = await store.transaction(records => records.operations.lock('second'));
      expect([other?.id, isPaused]).toEqual(['second', false]);
    } finally {
      isReconciled = true;
      await Promise.all([reconciling, pausing]);
    }
    expect(isPaused).toBe(true);
  });

  test('schedules a reconcile of every operation for each pause, repeated pause and resume', async () => {
    const { operations } = store.reads;
    for (const isPaused of [true, true, false]) {
      for (const id of ['first', 'second'])
        await store.transaction(records => records.operations.scheduleReconcile(id, FUTURE_MS));
      expect(await operations.listDueIds(FUTURE_MS - 1, 10)).toEqual([]);
      expect(await setPause(isPaused)).toBe(isPaused);
      expect(await operations.listDueIds(FUTURE_MS - 1, 10)).toHaveLength(2);
    }
  });
});
