import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StorePlace } from '../../../test/harness/stores/stores.ts';
import { describePostgres, makeStorePlace, openPlace } from '../../../test/harness/stores/stores.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/actor.ts';
import { recordNameOf } from '../../domain/record-name.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { ASKED, newOperation } from '../../store/repositories/operations/operation-lab.ts';
import type { Store } from '../../store/store.ts';
import { holdOperations } from './hold-operations.ts';

// The embedded store has one writer at a time.
describePostgres('while somebody decides on an operation, holding all', () => {
  let place: StorePlace;
  let store: Store;
  beforeEach(async () => {
    place = await makeStorePlace('postgres');
    store = await openPlace(place);
    for (const id of ['first', 'second'])
      await store.transaction(records =>
        records.operations.insert(newOperation(id, recordNameOf(id)), ASKED, 1),
      );
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });

  test('is not done before that is decided, and keeps nobody from deciding on others', async () => {
    const [has, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const deciding = store.transaction(async records => {
      await records.operations.lock('first');
      has.resolve();
      await goesOn.promise;
    });
    await has.promise;

    let isHeld = false;
    const holding = holdOperations({ store, clock: systemClock }, LOCAL_ACTOR, true).then(() => {
      isHeld = true;
    });
    await expect.poll(() => store.reads.switches.isHeld()).toBe(true);
    const other = await store.transaction(records => records.operations.lock('second'));
    expect([other?.id, isHeld]).toEqual(['second', false]);

    goesOn.resolve();
    await Promise.all([deciding, holding]);
    expect(isHeld).toBe(true);
  });
});
