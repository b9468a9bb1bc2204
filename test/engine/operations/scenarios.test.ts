import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReusedStore } from '../../harness/simulation/reused-store.ts';
import { reusedStore } from '../../harness/simulation/reused-store.ts';
import type { History } from './model/history.ts';
import type { StateChange } from './model/invariant-monitor.ts';
import { runHistory } from './model/run-history.ts';
import {
  ALL_OF_THREE_SILENT,
  BAD_VERSION,
  LATE_REBOOTS,
  ONE_SERVER_PARTITIONED,
  OUTAGE_BEFORE_REQUEST,
  OUTAGE_WHILE_FIRST_REBOOTS,
  PERCENTAGE,
  REBOOT_LOOP,
  REFUSED_DRAIN,
  REGRESSIONS,
  RETRY_AFTER_FAILED_HOST_LEFT,
  SIX_OF_NINE_SILENT,
} from './model/scenarios.ts';

const [SECOND, MINUTE] = [1000, 60_000];

let store: ReusedStore;
beforeAll(async () => {
  store = await reusedStore('sqlite');
});
afterAll(() => store.close());

interface Result {
  readonly violation: string | undefined;
  /** States of the operation, with times since the request. */
  readonly states: readonly StateChange[];
  /** Number of requested reboots per host. */
  readonly reboots: readonly number[];
  readonly hosts: readonly { readonly phase: string; readonly problem: string }[];
}

async function run(history: History): Promise<Result> {
  let ended: Omit<Result, 'violation'> = { states: [], reboots: [], hosts: [] };
  const violation = await runHistory(
    {
      store,
      onEnd: ({ monitor, simulation }) => {
        const startMs = monitor.stateChanges[0]?.atMs ?? 0;
        ended = {
          states: monitor.stateChanges.map(change => ({ ...change, atMs: change.atMs - startMs })),
          reboots: [...simulation.fleet.hosts].map(
            ({ boots }) => boots.filter(({ cause }) => cause === 'requested').length,
          ),
          hosts: monitor.state.planned,
        };
      },
    },
    history,
  );
  return { violation, ...ended };
}

const names = ({ states }: Pick<Result, 'states'>) => states.map(({ state }) => state);
const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

test.each(Object.entries(LATE_REBOOTS))('a reboot command has no effect %s', async (_when, history) => {
  expect(await runHistory({ store }, history)).toBeUndefined();
});

test('a node that cannot be drained is uncordoned', async () => {
  expect(await runHistory({ store }, REFUSED_DRAIN)).toBeUndefined();
});

test('a max_unavailable percentage is rounded down', async () => {
  expect(await runHistory({ store }, PERCENTAGE)).toBeUndefined();
});

test('a bad version stops at the first host even when all hosts may fail', async () => {
  expect(await runHistory({ store }, BAD_VERSION)).toBeUndefined();
  const { planned } = await store.rows({
    planned: 'select phase from operation_hosts order by position',
  });
  expect(planned).toEqual([{ phase: 'failed' }, { phase: 'staging' }, { phase: 'staging' }]);
});

test.each(Object.entries(REGRESSIONS))('%s', async (_title, history) => {
  expect(await runHistory({ store }, history)).toBeUndefined();
});

describe('an undetected outage', () => {
  test('fails the operation before its first reboot if two of six hosts go down 1 s before the request', async () => {
    const { violation, states, reboots } = await run(OUTAGE_BEFORE_REQUEST);
    expect(violation).toBeUndefined();
    const end = states.find(({ state }) => state === 'failed');
    expect(end?.problem).toMatch(/budget_exhausted/);
    expect(end?.problem).toMatch(/127\.0\.0\.2.*127\.0\.0\.5/);
    expect(end?.atMs).toBeLessThan(MINUTE);
    expect(total(reboots)).toBe(0);
  });

  test('prevents further reboots if six of nine hosts go down during the first reboot', async () => {
    const { violation, reboots } = await run(OUTAGE_WHILE_FIRST_REBOOTS);
    expect(violation).toBeUndefined();
    expect(reboots).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

test('a host that keeps rebooting fails at the verify timeout', async () => {
  const { violation, hosts } = await run(REBOOT_LOOP);
  expect(violation).toBeUndefined();
  expect(hosts[0]).toMatchObject({ phase: 'failed', problem: expect.stringMatching(/not_stable.*\d+ /) });
});

test('a retry does not finish an operation whose failed host has left the cluster', async () => {
  const { violation, ...result } = await run(RETRY_AFTER_FAILED_HOST_LEFT);
  expect(violation).toBeUndefined();
  expect(names(result)).not.toContain('finished');
  expect(result.states.at(-1)).toMatchObject({ state: 'failed' });
  expect(result.hosts[0]).toMatchObject({ phase: 'failed' });
});

describe('a partition', () => {
  test('does not stop the other server if it affects one of two servers', async () => {
    const { violation, ...result } = await run(ONE_SERVER_PARTITIONED);
    expect(violation).toBeUndefined();
    expect(names(result)).not.toContain('paused(partitioned)');
    expect(result.states.at(-1)).toMatchObject({ state: 'finished' });
    expect(result.states.at(-1)?.atMs).toBeLessThan(20 * MINUTE);
    expect(result.reboots).toEqual([1, 1, 1, 1, 1]);
  });

  test('pauses the operation if six of nine hosts are unresponsive, and counts as an outage after five minutes', async () => {
    const { violation, states, reboots } = await run(SIX_OF_NINE_SILENT);
    expect(violation).toBeUndefined();
    const index = states.findIndex(({ state }) => state === 'paused(partitioned)');
    expect(states[index]?.atMs).toBeLessThan(3 * MINUTE);
    const resumed = states[index + 1];
    expect(resumed?.atMs).toBeGreaterThanOrEqual(5 * MINUTE);
    expect(resumed?.atMs).toBeLessThan(10 * MINUTE);
    const end = states.find(({ state }) => state === 'failed');
    expect(end?.problem).toMatch(/budget_exhausted/);
    expect(end?.atMs).toBeLessThan(30 * MINUTE);
    expect(total(reboots)).toBe(1);
  });

  test('pauses the operation until the hosts respond if all three hosts are unresponsive', async () => {
    const { violation, ...result } = await run(ALL_OF_THREE_SILENT);
    expect(violation).toBeUndefined();
    const index = names(result).indexOf('paused(partitioned)');
    expect(result.states[index]?.atMs).toBeLessThan(4 * MINUTE);
    expect(result.states[index + 1]?.atMs).toBeGreaterThan(8.5 * MINUTE - 5 * SECOND);
    expect(names(result).filter(state => state === 'paused(partitioned)')).toHaveLength(1);
    expect(result.states.at(-1)).toMatchObject({ state: 'finished' });
    expect(result.reboots).toEqual([1, 1, 1]);
  });
});
