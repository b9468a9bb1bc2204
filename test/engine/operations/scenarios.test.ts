import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import { runHistory } from './model/run-history.ts';
import { BAD_VERSION, LATE_REBOOTS, PERCENTAGE, REFUSED_DRAIN, REGRESSIONS } from './model/scenarios.ts';

let store: ReusedStore;
beforeAll(async () => {
  store = await reusedStore('sqlite');
});
afterAll(() => store.end());

test.each(Object.entries(LATE_REBOOTS))('a reboot command has no effect %s', async (_when, history) => {
  expect(await runHistory({ store }, history)).toBeUndefined();
});

test('uncordons a node that cannot be drained', async () => {
  expect(await runHistory({ store }, REFUSED_DRAIN)).toBeUndefined();
});

test('rounds a percentage of max_unavailable down', async () => {
  expect(await runHistory({ store }, PERCENTAGE)).toBeUndefined();
});

test('stops a bad version at the first host when all hosts may fail', async () => {
  expect(await runHistory({ store }, BAD_VERSION)).toBeUndefined();
  const { planned } = await store.rows({
    planned: 'select phase from operation_hosts order by position',
  });
  expect(planned).toEqual([{ phase: 'failed' }, { phase: 'staging' }, { phase: 'staging' }]);
});

test.each(Object.entries(REGRESSIONS))('%s', async (_what, history) => {
  expect(await runHistory({ store }, history)).toBeUndefined();
});
