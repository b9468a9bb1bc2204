import { describe, expect, test } from 'vitest';
import { snapshotFixture } from '../../../test/harness/rollout/snapshot-fixtures.ts';
import type { Budget } from './budget.ts';
import { currentBudget, currentMaxUnavailable, maxFailuresToContinue, unavailableHosts } from './budget.ts';
import type { Policy } from './policy.ts';

describe('currentMaxUnavailable', () => {
  test.each<[string, number, number, Partial<Policy>, number]>([
    ['1 by default', 10, 0, {}, 1],
    ['the number in the policy', 10, 0, { maxUnavailable: 3 }, 3],
    ['max_unavailable even above the number of members', 2, 0, { maxUnavailable: 3 }, 3],
    ['25% of 10 rounded down', 10, 0, { maxUnavailable: '25%' }, 2],
    ['at least 1 for 25% of 3', 3, 0, { maxUnavailable: '25%' }, 1],
    ['at least 1 for 0%', 100, 0, { maxUnavailable: '0%' }, 1],
    ['29 for 29% of 100, without rounding errors', 100, 0, { maxUnavailable: '29%' }, 29],
    ['at least 1 without members', 0, 0, { maxUnavailable: '50%' }, 1],
    ['1 at the start of a ramp', 10, 0, { ramp: true, maxUnavailable: 9 }, 1],
    ['2 after 1 verified host', 10, 1, { ramp: true, maxUnavailable: 9 }, 2],
    ['2 after 2 verified hosts', 10, 2, { ramp: true, maxUnavailable: 9 }, 2],
    ['4 after 3 verified hosts', 10, 3, { ramp: true, maxUnavailable: 9 }, 4],
    ['4 after 6 verified hosts', 10, 6, { ramp: true, maxUnavailable: 9 }, 4],
    ['8 after 7 verified hosts', 10, 7, { ramp: true, maxUnavailable: 9 }, 8],
    ['never above max_unavailable in a ramp', 10, 100, { ramp: true, maxUnavailable: 9 }, 9],
  ])('is %s', (_what, members, verified, policy, limit) => {
    expect(
      currentMaxUnavailable({ ...snapshotFixture([], policy), memberCount: members, verifiedCount: verified }),
    ).toBe(limit);
  });
});

describe('unavailableHosts', () => {
  test.each<[string, readonly string[], readonly number[]]>([
    ['hosts in flight', ['cordoning', 'uncordoning', 'staged', 'pending'], [1, 2]],
    ['failed hosts that hold their slot', ['failed', 'holding'], [2]],
    ['members that are down, planned or not', ['down done', 'other down', 'other'], [1, 2]],
    ['members in maintenance', ['maintenance pending', 'pending'], [1]],
    ['each host once', ['down rebooting', 'down holding'], [1, 2]],
    ['no ignored hosts', ['ignored down skipped'], []],
    ['no removed hosts', ['left down failed'], []],
  ])('contains %s', (_what, hosts, numbers) => {
    const unavailable = [...unavailableHosts(snapshotFixture(hosts))].sort();
    expect(unavailable).toEqual(numbers.map(number => `127.0.0.${number}`));
  });
});

describe('maxFailuresToContinue', () => {
  test.each<[string, number, Partial<Policy>, number, number]>([
    ['0 by default', 10, {}, 0, 0],
    ['the number in the policy', 10, { maxFailures: 3 }, 0, 3],
    ['a percentage of the plan, rounded down', 19, { maxFailures: '10%' }, 0, 1],
    ['0 for 10% of 9 hosts', 9, { maxFailures: '10%' }, 0, 0],
    ['increased by acknowledged failures', 10, { maxFailures: 1 }, 2, 3],
  ])('is %s', (_what, hostCount, policy, acknowledgedFailures, allowed) => {
    expect(maxFailuresToContinue(snapshotFixture([], policy, { hostCount, acknowledgedFailures }))).toBe(allowed);
  });
});

describe('currentBudget', () => {
  const [WIDE, RAMP] = [
    { maxUnavailable: '50%', maxFailures: '25%' },
    { ramp: true, maxUnavailable: 9 },
  ] as const;
  test.each<[string, readonly string[], Partial<Policy>, Budget]>([
    [
      'counts each unavailable host once',
      ['down rebooting', 'holding', 'other down', 'pending'],
      WIDE,
      { maxUnavailable: 2, unavailable: 3, maxFailures: 0, failed: 1 },
    ],
    [
      'counts failed hosts without a slot as failures only',
      ['failed', 'done', 'pending', 'pending'],
      WIDE,
      { maxUnavailable: 2, unavailable: 0, maxFailures: 1, failed: 1 },
    ],
    [
      'is limited by the ramp',
      ['done', 'cordoning', 'pending'],
      RAMP,
      { maxUnavailable: 2, unavailable: 1, maxFailures: 0, failed: 0 },
    ],
  ])('%s', (_what, hosts, policy, budget) => {
    expect(currentBudget(snapshotFixture(hosts, policy))).toEqual(budget);
  });
});
