import { describe, expect, test } from 'vitest';
import type { BlockedStart, Remedies } from './blocking-hosts.ts';
import {
  findRemedies,
  formatAmount,
  getBlockedStartEffect,
  isStoppedByOutages,
  toHostCount,
} from './blocking-hosts.ts';

describe('toHostCount()', () => {
  test.each<[amount: number | string, members: number, allowed: number, text: string]>([
    [2, 8, 2, '2'],
    ['25%', 8, 2, '25% (2 hosts)'],
    ['25%', 7, 1, '25% (1 host)'],
    ['10%', 3, 1, '10% (1 host)'],
    ['100%', 0, 1, '100% (1 host)'],
  ])('converts %s of %i members to %i', (amount, members, allowed, text) => {
    expect(toHostCount(amount, members)).toBe(allowed);
    expect(formatAmount(amount, members)).toBe(text);
  });
});

describe('findRemedies()', () => {
  const policy: BlockedStart['policy'] = {
    unhealthy: 'count',
    max_excluded: '10%',
    max_unavailable: 1,
    ramp: false,
  };

  test.each<[string, Partial<BlockedStart['policy']>, blocking: number, members: number, Remedies]>([
    [
      'excludes one host within max_excluded',
      ...([{}, 1, 3] as const),
      { exclude: { unhealthy: 'exclude' }, raise: { max_unavailable: 2 }, wait: { wait: true } },
    ],
    [
      'raises max_excluded for more hosts',
      ...([{}, 3, 20] as const),
      {
        exclude: { unhealthy: 'exclude', max_excluded: 3 },
        raise: { max_unavailable: 4 },
        wait: { wait: true },
      },
    ],
    [
      'keeps max_excluded for as many hosts',
      ...([{ max_excluded: 3, max_unavailable: '25%' }, 3, 12] as const),
      { exclude: { unhealthy: 'exclude' }, raise: { max_unavailable: 4 }, wait: { wait: true } },
    ],
    [
      'offers no wait if the policy excludes hosts, and counts hosts if max_unavailable is raised',
      ...([{ unhealthy: 'exclude' }, 2, 5] as const),
      {
        exclude: { unhealthy: 'exclude', max_excluded: 2 },
        raise: { unhealthy: 'count', max_unavailable: 3 },
        wait: undefined,
      },
    ],
    [
      'does not raise max_unavailable with a ramp, which starts with one host',
      ...([{ ramp: true, max_unavailable: 5 }, 1, 20] as const),
      { exclude: { unhealthy: 'exclude' }, raise: undefined, wait: { wait: true } },
    ],
  ])('%s', (_name, fields, blocking, members, expected) => {
    const blocked_by = Array.from({ length: blocking });
    expect(findRemedies({ policy: { ...policy, ...fields }, blocked_by, members })).toEqual(expected);
  });
});

test.each<[Parameters<typeof getBlockedStartEffect>[0], string]>([
  [{ unhealthy: 'count', wait: false, on_failure: 'fail' }, 'fail'],
  [{ unhealthy: 'count', wait: false, on_failure: 'pause' }, 'pause'],
  [{ unhealthy: 'count', wait: true, on_failure: 'pause' }, 'wait'],
  // Too many unhealthy members make the operation fail in any case.
  [{ unhealthy: 'exclude', wait: true, on_failure: 'pause' }, 'fail'],
])('getBlockedStartEffect() of %j is %s', (policy, effect) => {
  expect(getBlockedStartEffect(policy)).toBe(effect);
});

describe('isStoppedByOutages()', () => {
  const DOWN = '127.0.0.3 (unreachable since 2026-11-16 12:03:05 UTC)';

  test.each<[Parameters<typeof isStoppedByOutages>[0], boolean]>([
    [
      {
        state: 'failed',
        paused_by: null,
        problem: `budget_exhausted: ${DOWN} uses the only slot (max_unavailable 1)`,
      },
      true,
    ],
    [{ state: 'failed', paused_by: null, problem: `budget_exhausted: waited 600 s for ${DOWN}` }, true],
    [
      {
        ...{ state: 'failed', paused_by: null },
        problem: `too_many_unhealthy: 2 members are unavailable, but max_excluded allows 1: ${DOWN}, 127.0.0.4 (failed)`,
      },
      true,
    ],
    [{ state: 'failed', paused_by: null, problem: 'too_many_failures: 1 failed, at most 0 allowed' }, false],
    [{ state: 'paused', paused_by: 'budget', problem: '' }, true],
    [{ state: 'paused', paused_by: 'failures', problem: '' }, false],
    [{ state: 'running', paused_by: null, problem: `waiting for ${DOWN}` }, false],
  ])('evaluates %j to %s', (operation, isStopped) => {
    expect(isStoppedByOutages(operation)).toBe(isStopped);
  });
});
