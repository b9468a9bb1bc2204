import { describe, expect, test } from 'vitest';
import type { Budget } from './budget.ts';
import { currentBudget, currentMaxUnavailable, maxFailuresToContinue, unavailableHosts } from './budget.ts';
import { snapshotFixture } from './fixtures.ts';
import type { Policy } from './policy.ts';

describe('how many may be out of service at once', () => {
  test.each<[string, number, number, Partial<Policy>, number]>([
    ['one, if nothing else is said', 10, 0, {}, 1],
    ['as many as the policy says', 10, 0, { maxUnavailable: 3 }, 3],
    ['also more than there are', 2, 0, { maxUnavailable: 3 }, 3],
    ['25% of 10, rounded down', 10, 0, { maxUnavailable: '25%' }, 2],
    ['25% of 3, but at least one', 3, 0, { maxUnavailable: '25%' }, 1],
    ['0%, but at least one', 100, 0, { maxUnavailable: '0%' }, 1],
    ['29% of 100, which floating numbers make 28', 100, 0, { maxUnavailable: '29%' }, 29],
    ['a part of no members, but at least one', 0, 0, { maxUnavailable: '50%' }, 1],
    ['one in the beginning of a ramp', 10, 0, { ramp: true, maxUnavailable: 9 }, 1],
    ['two when one is proved', 10, 1, { ramp: true, maxUnavailable: 9 }, 2],
    ['still two when two are', 10, 2, { ramp: true, maxUnavailable: 9 }, 2],
    ['four when three are', 10, 3, { ramp: true, maxUnavailable: 9 }, 4],
    ['still four when six are', 10, 6, { ramp: true, maxUnavailable: 9 }, 4],
    ['eight when seven are', 10, 7, { ramp: true, maxUnavailable: 9 }, 8],
    ['never more than without a ramp', 10, 100, { ramp: true, maxUnavailable: 9 }, 9],
  ])('%s', (_what, members, verified, policy, limit) => {
    expect(currentMaxUnavailable({ ...snapshotFixture([], policy), members, verified })).toBe(limit);
  });
});

describe('who is out of service', () => {
  test.each<[string, readonly string[], readonly number[]]>([
    ['hosts in flight', ['cordoning', 'uncordoning', 'staged', 'pending'], [1, 2]],
    ['failures that keep their slot', ['failed', 'keeping'], [2]],
    ['members that are down, in the plan or not', ['down done', 'other down', 'other'], [1, 2]],
    ['members in maintenance', ['maintenance pending', 'pending'], [1]],
    ['each once', ['down rebooting', 'down keeping'], [1, 2]],
    ['none that is ignored', ['ignored down skipped'], []],
    ['none that is gone', ['gone down failed'], []],
  ])('%s', (_what, hosts, numbers) => {
    const unavailable = [...unavailableHosts(snapshotFixture(hosts))].sort();
    expect(unavailable).toEqual(numbers.map(number => `127.0.0.${number}`));
  });
});

describe('how many may fail', () => {
  test.each<[string, number, Partial<Policy>, number, number]>([
    ['none, if nothing else is said', 10, {}, 0, 0],
    ['as many as the policy says', 10, { maxFailures: 3 }, 0, 3],
    ['a part of the plan, rounded down', 19, { maxFailures: '10%' }, 0, 1],
    ['which may be none', 9, { maxFailures: '10%' }, 0, 0],
    ['and those that a person has forgiven', 10, { maxFailures: 1 }, 2, 3],
  ])('%s', (_what, hostCount, policy, acknowledgedFailures, allowed) => {
    expect(maxFailuresToContinue(snapshotFixture([], policy, { hostCount, acknowledgedFailures }))).toBe(
      allowed,
    );
  });
});

describe('the budget as numbers', () => {
  const [WIDE, RAMP] = [
    { maxUnavailable: '50%', maxFailures: '25%' },
    { ramp: true, maxUnavailable: 9 },
  ] as const;
  test.each<[string, readonly string[], Partial<Policy>, Budget]>([
    [
      'counts each host once that is out of service',
      ['down rebooting', 'keeping', 'other down', 'pending'],
      WIDE,
      { maxUnavailable: 2, unavailable: 3, maxFailures: 0, failed: 1 },
    ],
    [
      'counts failures that keep no slot as failures only',
      ['failed', 'done', 'pending', 'pending'],
      WIDE,
      { maxUnavailable: 2, unavailable: 0, maxFailures: 1, failed: 1 },
    ],
    [
      'is as wide as a ramp lets it be now',
      ['done', 'cordoning', 'pending'],
      RAMP,
      { maxUnavailable: 2, unavailable: 1, maxFailures: 0, failed: 0 },
    ],
  ])('%s', (_what, hosts, policy, budget) => {
    expect(currentBudget(snapshotFixture(hosts, policy))).toEqual(budget);
  });
});
