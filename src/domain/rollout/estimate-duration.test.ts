import { describe, expect, test } from 'vitest';
import { estimateDurationMs } from './estimate-duration.ts';
import type { OperationHost } from './operation-host.ts';

type TimedHost = Pick<OperationHost, 'phase' | 'attempt' | 'phases' | 'finishedAt'>;

const at = (seconds: number) => `2026-01-01T00:00:${String(seconds).padStart(2, '0')}.000000`;

/** Waited until `from`, then used a slot until `to`. */
const done = (from: number, to: number): TimedHost => ({
  ...{ phase: 'done', attempt: 1, finishedAt: at(to) },
  phases: [
    { phase: 'staging', attempt: 1, at: at(0) },
    { phase: 'cordoning', attempt: 1, at: at(from) },
    { phase: 'done', attempt: 1, at: at(to) },
  ],
});

const NOOP: TimedHost = { ...done(1, 2), phases: [{ phase: 'done', attempt: 1, at: at(2) }] };
const FAILED: TimedHost = { ...done(1, 59), phase: 'failed' };
const RETRIED: TimedHost = {
  ...{ phase: 'done', attempt: 2, finishedAt: at(50) },
  phases: [
    { phase: 'armed', attempt: 1, at: at(0) },
    { phase: 'armed', attempt: 2, at: at(40) },
    { phase: 'done', attempt: 2, at: at(50) },
  ],
};

type Rollout = Parameters<typeof estimateDurationMs>[1];

describe('estimateDurationMs()', () => {
  test.each<[string, readonly TimedHost[], Pick<Rollout, 'hosts' | 'slots'> & Partial<Rollout>, number | undefined]>([
    ['no earlier operation', [], { hosts: 3, slots: 1 }, undefined],
    ['hosts that used no slot', [NOOP, FAILED], { hosts: 3, slots: 1 }, undefined],
    ['one host after the other', [done(10, 20)], { hosts: 3, slots: 1 }, 30_000],
    ['an incomplete last round', [done(10, 20)], { hosts: 5, slots: 2 }, 30_000],
    ['the median of several hosts', [done(0, 50), done(0, 4), done(0, 6)], { hosts: 1, slots: 1 }, 6000],
    ['only the last attempt of a retried host', [RETRIED], { hosts: 1, slots: 1 }, 10_000],
    ['no hosts', [done(10, 20)], { hosts: 0, slots: 1 }, 0],
    ['canary hosts before the others', [done(10, 20)], { hosts: 5, slots: 4, canary: 1 }, 20_000],
    ['one, two and four hosts at a time', [done(10, 20)], { hosts: 7, slots: 4, ramp: true }, 30_000],
    ['more canary hosts than hosts', [done(10, 20)], { hosts: 2, slots: 1, canary: 5 }, 20_000],
  ])('estimates the duration from %s', (_title, earlier, plan, expected) => {
    expect(estimateDurationMs(earlier, { canary: 0, ramp: false, ...plan })).toBe(expected);
  });

  test('adds the extra time of each host', () => {
    const rollout = { hosts: 2, slots: 1, canary: 0, ramp: false };
    expect(estimateDurationMs([done(10, 20)], rollout, 5000)).toBe(30_000);
  });
});
