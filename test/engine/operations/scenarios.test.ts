import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import { play } from './model/play.ts';
import { BAD_VERSION, LATE_REBOOTS, ONCE_WRONG, PART_OF_HOSTS, REFUSED_DRAIN } from './model/scenarios.ts';

let store: ReusedStore;
beforeAll(async () => {
  store = await reusedStore('sqlite');
});
afterAll(() => store.end());

test.each(Object.entries(LATE_REBOOTS))('a reboot that comes %s does nothing', async (_when, history) => {
  expect(await play({ store }, history)).toBeUndefined();
});

test('a node that cannot be drained is let go of', async () => {
  expect(await play({ store }, REFUSED_DRAIN)).toBeUndefined();
});

test('a part of the hosts is rounded down', async () => {
  expect(await play({ store }, PART_OF_HOSTS)).toBeUndefined();
});

test('a bad version stops at the first host, however many may fail', async () => {
  expect(await play({ store }, BAD_VERSION)).toBeUndefined();
  const { planned } = await store.rows({
    planned: 'select phase from operation_hosts order by position',
  });
  expect(planned).toEqual([{ phase: 'failed' }, { phase: 'staging' }, { phase: 'staging' }]);
});

test.each(Object.entries(ONCE_WRONG))('%s', async (_what, history) => {
  expect(await play({ store }, history)).toBeUndefined();
});
