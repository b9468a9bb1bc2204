import { expect, test } from 'vitest';
import { VirtualClock } from '../../test/harness/simulation/virtual-clock.ts';
import { StoreUnavailableError } from '../domain/errors.ts';
import type { Store } from '../store/store.ts';
import { createReadinessCheck } from './readiness.ts';

/** A store whose write checks end on demand. */
function fakeStore() {
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

/** The first check has succeeded at 0 s. */
async function readyService() {
  const { store, checks } = fakeStore();
  const clock = new VirtualClock();
  const checkReadiness = createReadinessCheck({ store, clock });
  const first = checkReadiness();
  await clock.advance(0);
  checks[0]?.resolve();
  expect(await first).toBeUndefined();
  return { checks, clock, checkReadiness };
}

test('readiness uses the last result while a check waits for the store', async () => {
  const { checks, clock, checkReadiness } = await readyService();
  await clock.advance(2000);
  const second = checkReadiness();
  await clock.advance(250);
  expect(await second).toBeUndefined();
  checks[1]?.reject(new StoreUnavailableError(new Error('full')));

  await clock.advance(2000);
  const third = checkReadiness();
  const rejection = expect(third).rejects.toThrow(StoreUnavailableError);
  await clock.advance(250);
  await rejection;
});

test('readiness fails 30 s after the last result if a check hangs, and starts no other check', async () => {
  const { checks, clock, checkReadiness } = await readyService();
  const results: string[] = [];
  const recordResult = () =>
    checkReadiness().then(
      () => results.push('ready'),
      error => results.push(error instanceof StoreUnavailableError ? 'unavailable' : String(error)),
    );
  await clock.advance(2000);
  for (let seconds = 2; seconds <= 40; seconds += 2) {
    const pending = recordResult();
    await clock.advance(2000);
    await pending;
  }
  // Checked after 2, 4, … 28 s (ready) and after 30, 32, … 40 s (unavailable).
  expect(results).toEqual([
    ...Array.from({ length: 14 }, () => 'ready'),
    ...Array.from({ length: 6 }, () => 'unavailable'),
  ]);
  expect(checks).toHaveLength(2);

  checks[1]?.resolve();
  await clock.advance(2000);
  const pending = checkReadiness();
  await clock.advance(0);
  checks[2]?.resolve();
  expect(await pending).toBeUndefined();
});

test('readiness waits for the check if the last result is older than 30 s', async () => {
  const { checks, clock, checkReadiness } = await readyService();
  await clock.advance(60_000);
  const pending = checkReadiness();
  await clock.advance(5000);
  checks[1]?.resolve();
  expect(await pending).toBeUndefined();
});

test('readiness fails after 30 s if the first check hangs', async () => {
  const { store } = fakeStore();
  const clock = new VirtualClock();
  const rejection = expect(createReadinessCheck({ store, clock })()).rejects.toThrow(StoreUnavailableError);
  await clock.advance(30_000);
  await rejection;
});
