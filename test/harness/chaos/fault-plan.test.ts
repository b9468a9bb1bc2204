import { expect, test } from 'vitest';
import { describePlan, orderedPlan, randomPlan } from './fault-plan.ts';

const OPTIONS = { seed: 7, servers: 3, hosts: 60, leaseMs: 3000 };

test('fault plans with the same seed are equal', () => {
  expect(randomPlan(OPTIONS, 12)).toEqual(randomPlan(OPTIONS, 12));
  expect(randomPlan(OPTIONS, 12)).not.toEqual(randomPlan({ ...OPTIONS, seed: 8 }, 12));
});

test('random plans contain every kind of fault on every server, and freezes outlast the lease', () => {
  const faults = Array.from({ length: 50 }, (_, seed) => randomPlan({ ...OPTIONS, seed }, 12)).flat();
  expect(new Set(faults.map(({ kind }) => kind)).size).toBe(9);
  expect(new Set(faults.map(({ server }) => server))).toEqual(new Set([0, 1, 2, null]));
  const frozen = faults.filter(({ kind }) => kind === 'freeze_server');
  expect(frozen.every(({ durationMs }) => durationMs > OPTIONS.leaseMs)).toBe(true);
  expect(faults.every(({ afterReboots }) => afterReboots <= 48)).toBe(true);
});

test('orderedPlan makes faults due in the given order in the first quarter of the restart', () => {
  const plan = orderedPlan(OPTIONS, ['kill_server', 'freeze_server', 'kill_store']);
  expect(plan.map(({ kind, server }) => [kind, server])).toEqual([
    ['kill_server', 'busiest'],
    ['freeze_server', 'busiest'],
    ['kill_store', null],
  ]);
  expect(plan.map(({ afterReboots }) => afterReboots)).toEqual([1, 6, 11]);
  expect(describePlan(plan)).toMatch(
    /^ {2}after 1 reboots and \d+ ms: kill_server, busiest, \d+ ms\n.*\n.*: kill_store, PostgreSQL, \d+ ms$/,
  );
});

test('orderedPlan makes no fault due before the first reboot', () => {
  const plan = orderedPlan({ ...OPTIONS, hosts: 18 }, ['kill_server', 'freeze_server', 'cut_store', 'kill_store']);
  expect(plan.map(({ afterReboots }) => afterReboots)).toEqual([1, 1, 2, 3]);
});
