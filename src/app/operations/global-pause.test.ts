import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { describePostgres, makeStorePlace, openPlace } from '../../../test/harness/stores/stores.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { newOperation, REQUEST } from '../../store/repositories/operations/operation-fixtures.ts';
import type { Store } from '../../store/store.ts';
import { setGlobalPause } from './control-operation.ts';

const FUTURE_MS = 9_000_000_000_000;

// The embedded store has one writer at a time.
describePostgres('holding all operations', () => {
  let place: StorePlace;
  let store: Store;
  const setPause = (isPaused: boolean) =>
    setGlobalPause({ store, clock: systemClock }, LOCAL_ACTOR, isPaused);
  beforeEach(async () => {
    place = await makeStorePlace('postgres');
    store = await openPlace(place);
    for (const id of ['first', 'second'])
      await store.transaction(records =>
        records.operations.insert(newOperation(id, toRecordName(id)), REQUEST, 1),
      );
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  test('is not done before whoever is deciding on one is done, and keeps nobody from deciding on others', async () => {
    const locked = Promise.withResolvers<void>();
    let isReconciled = false;
    const reconciling = store.transaction(async records => {
      await records.operations.lock('first');
      locked.resolve();
      // One that says nothing for too long is cut off.
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

  test('has every one of them looked at, also when it is asked for again, and when they are released', async () => {
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
