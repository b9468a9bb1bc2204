import { expect, test } from 'vitest';
import { describePlan, orderedPlan, randomPlan } from './plan.ts';

const SCALE = { seed: 7, servers: 3, hosts: 60, leaseMs: 3000 };

test('a plan follows from its seed', () => {
  expect(randomPlan(SCALE, 12)).toEqual(randomPlan(SCALE, 12));
  expect(randomPlan(SCALE, 12)).not.toEqual(randomPlan({ ...SCALE, seed: 8 }, 12));
});

test('in many plans every kind of fault is there, to every server, and frozen servers sleep past their lease', () => {
  const faults = Array.from({ length: 50 }, (_, seed) => randomPlan({ ...SCALE, seed }, 12)).flat();
  expect(new Set(faults.map(({ kind }) => kind)).size).toBe(9);
  expect(new Set(faults.map(({ server }) => server))).toEqual(new Set([0, 1, 2, null]));
  const frozen = faults.filter(({ kind }) => kind === 'freeze');
  expect(frozen.every(({ lastsMs }) => lastsMs > SCALE.leaseMs)).toBe(true);
  expect(faults.every(({ afterDowns }) => afterDowns <= 48)).toBe(true);
});

test('faults in order come one after the other', () => {
  const plan = orderedPlan(SCALE, ['kill', 'freeze', 'crash_database']);
  expect(plan.map(({ kind, server }) => [kind, server])).toEqual([
    ['kill', 'busiest'],
    ['freeze', 'busiest'],
    ['crash_database', null],
  ]);
  expect(plan.map(({ afterDowns }) => afterDowns)).toEqual([3, 19, 35]);
  expect(describePlan(plan)).toMatch(
    /^ {2}after 3 reboots and \d+ ms: kill, busiest, \d+ ms\n.*\n.*: crash_database, PostgreSQL, \d+ ms$/,
  );
});
