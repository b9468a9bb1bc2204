import { expect, test } from 'vitest';
import { StoreUnavailableError } from '../domain/errors.ts';
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

/** A service whose first check has succeeded, at 0 s. */
async function readyService() {
  const { store, checks } = checkedStore();
  const clock = new VirtualClock();
  const isReady = readinessCheck({ store, clock });
  const first = isReady();
  await clock.advance(0);
  checks[0]?.resolve();
  expect(await first).toBeUndefined();
  return { checks, clock, isReady };
}

test('readiness uses the last result while a check waits for the store', async () => {
  const { checks, clock, isReady } = await readyService();
  await clock.advance(2000);
  const second = isReady();
  await clock.advance(250);
  expect(await second).toBeUndefined();
  checks[1]?.reject(new StoreUnavailableError(new Error('full')));

  await clock.advance(2000);
  const third = isReady();
  const refused = expect(third).rejects.toThrow(StoreUnavailableError);
  await clock.advance(250);
  await refused;
});

test('readiness ends 30 s after the last result if a check never ends, and no other check starts', async () => {
  const { checks, clock, isReady } = await readyService();
  const results: string[] = [];
  const ask = () =>
    isReady().then(
      () => results.push('ready'),
      error => results.push(error instanceof StoreUnavailableError ? 'unavailable' : String(error)),
    );
  await clock.advance(2000);
  for (let seconds = 2; seconds <= 40; seconds += 2) {
    const asked = ask();
    await clock.advance(2000);
    await asked;
  }
  // Asked after 2, 4, ... 28 s, and after 30, 32, ... 40 s.
  expect(results).toEqual([
    ...Array.from({ length: 14 }, () => 'ready'),
    ...Array.from({ length: 6 }, () => 'unavailable'),
  ]);
  expect(checks).toHaveLength(2);

  checks[1]?.resolve();
  await clock.advance(2000);
  const asked = isReady();
  await clock.advance(0);
  checks[2]?.resolve();
  expect(await asked).toBeUndefined();
});

test('readiness waits for the check if the last result is older than 30 s', async () => {
  const { checks, clock, isReady } = await readyService();
  await clock.advance(60_000);
  const asked = isReady();
  await clock.advance(5000);
  checks[1]?.resolve();
  expect(await asked).toBeUndefined();
});

test('readiness is refused after 30 s if the first check never ends', async () => {
  const { store } = checkedStore();
  const clock = new VirtualClock();
  const refused = expect(readinessCheck({ store, clock })()).rejects.toThrow(StoreUnavailableError);
  await clock.advance(30_000);
  await refused;
});
