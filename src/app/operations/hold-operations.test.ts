import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { describePostgres, makeStorePlace, openPlace } from '../../../test/harness/stores/stores.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { ASKED, newOperation } from '../../store/repositories/operations/operation-lab.ts';
import type { Store } from '../../store/store.ts';
import { holdOperations } from './hold-operations.ts';

const FAR_OFF_MS = 9_000_000_000_000;

// The embedded store has one writer at a time.
describePostgres('holding all operations', () => {
  let place: StorePlace;
  let store: Store;
  const hold = (isHeld: boolean) => holdOperations({ store, clock: systemClock }, LOCAL_ACTOR, isHeld);
  beforeEach(async () => {
    place = await makeStorePlace('postgres');
    store = await openPlace(place);
    for (const id of ['first', 'second'])
      await store.transaction(records =>
        records.operations.insert(newOperation(id, toRecordName(id)), ASKED, 1),
      );
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  test('is not done before whoever is deciding on one is done, and keeps nobody from deciding on others', async () => {
    const has = Promise.withResolvers<void>();
    let isDecided = false;
    const deciding = store.transaction(async records => {
      await records.operations.lock('first');
      has.resolve();
      // One that says nothing for too long is cut off.
      while (!isDecided) await records.nowMs();
    });
    await has.promise;
    let isHeld = false;
    const holding = hold(true).then(() => {
      isHeld = true;
    });
    try {
      await expect.poll(() => store.reads.switches.isHeld(), { timeout: 3000 }).toBe(true);
      const other = await store.transaction(records => records.operations.lock('second'));
      expect([other?.id, isHeld]).toEqual(['second', false]);
    } finally {
      isDecided = true;
      await Promise.all([deciding, holding]);
    }
    expect(isHeld).toBe(true);
  });

  test('has every one of them looked at, also when it is asked for again, and when they are released', async () => {
    const { operations } = store.reads;
    for (const isHeld of [true, true, false]) {
      for (const id of ['first', 'second'])
        await store.transaction(records => records.operations.setDue(id, FAR_OFF_MS));
      expect(await operations.due(FAR_OFF_MS - 1, 10)).toEqual([]);
      expect(await hold(isHeld)).toBe(isHeld);
      expect(await operations.due(FAR_OFF_MS - 1, 10)).toHaveLength(2);
    }
  });
});
