import { expect, test } from 'vitest';
import { StoreUnavailable } from '../domain/errors.ts';
import { VirtualClock } from '../lib/time/virtual-clock.ts';
import type { Store } from '../store/store.ts';
import { readinessCheck } from './readiness.ts';

/** A store whose checks end when the test says so. */
function checkedStore() {
  const checks: PromiseWithResolvers<void>[] = [];
  const store = {
    hasCurrentSchema: async () => true,
    reads: { accounts: { isEmpty: async () => false } },
    checkWritable: () => {
      const check = Promise.withResolvers<void>();
      checks.push(check);
      return check.promise;
    },
  };
  return { store: store as unknown as Store, checks };
}

test('while a check waits for the store, the result before it counts', async () => {
  const { store, checks } = checkedStore();
  const clock = new VirtualClock();
  const isReady = readinessCheck({ store, clock });
  const first = isReady();
  await clock.advance(0);
  checks[0]?.resolve();
  expect(await first).toBeUndefined();

  await clock.advance(2000);
  const second = isReady();
  await clock.advance(250);
  expect(await second).toBeUndefined();
  checks[1]?.reject(new StoreUnavailable(new Error('full')));

  await clock.advance(2000);
  const third = isReady();
  const refused = expect(third).rejects.toThrow(StoreUnavailable);
  await clock.advance(250);
  await refused;
});
