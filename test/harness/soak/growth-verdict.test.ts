import { describe, expect, test } from 'vitest';
import { Random } from '../random.ts';
import type { Verdict, WorkPerHour } from './growth-verdict.ts';
import { judge } from './growth-verdict.ts';

const SECOND_MS = 1000;
const LIMIT = 10;
const WORK: WorkPerHour = {
  ...{ servers: 1, requests: 5 * LIMIT, checks: 0, events: 0, operations: 0, operationHosts: 0 },
  ...{ readers: 0, transient_hosts: 0 },
};
const MEASURED = { what: 'memory', unit: 'MiB', limitPerHour: ({ requests }: WorkPerHour) => requests / 5 };

const readings = (values: readonly number[]) => values.map((value, index) => ({ atMs: index * 10 * SECOND_MS, value }));
/** Twenty minutes of readings. */
const rising = (perHour: number) => Array.from({ length: 120 }, (_, index) => 100 + (perHour * index * 10) / 3600);

/** Adds autocorrelated noise of this amplitude. */
function noisy(values: readonly number[], size: number, seed: number): readonly number[] {
  const random = new Random(seed);
  let last = 0;
  return values.map(value => {
    last = 0.7 * last + 0.7 * (2 * random.next() - 1);
    return value + size * last;
  });
}

test.each<[string, readonly number[], Verdict]>([
  ['a constant value as flat', rising(0), 'flat'],
  ['a falling value as flat', rising(-100), 'flat'],
  ['growth below the limit as flat', rising(LIMIT - 0.1), 'flat'],
  ['growth above the limit as grows', rising(LIMIT + 0.1), 'grows'],
  ['little noise as flat', noisy(rising(0), 1, 6), 'flat'],
  ['large noise as unknown', noisy(rising(0), 30, 6), 'unknown'],
  ['too few readings as unknown', rising(50).slice(0, 4), 'unknown'],
  ['no readings as unknown', [], 'unknown'],
])('judge() classifies %s', (_case, values, verdict) => {
  expect(judge(MEASURED, readings(values), WORK).verdict).toBe(verdict);
});

test('judge() limits growth in proportion to the work', () => {
  const halfWork = { ...WORK, requests: WORK.requests / 2 };
  expect(judge(MEASURED, readings(rising(0.6 * LIMIT)), WORK).verdict).toBe('flat');
  expect(judge(MEASURED, readings(rising(0.6 * LIMIT)), halfWork).verdict).toBe('grows');
});

test('judge() returns the slope and the limit', () => {
  expect(judge(MEASURED, readings(rising(12)), WORK)).toMatchObject({
    ...{ what: 'memory', unit: 'MiB', limitPerHour: LIMIT, verdict: 'grows' },
    perHour: expect.closeTo(12, 6),
  });
});

describe('judge() of noisy readings', () => {
  const SEEDS = 100;
  const countVerdicts = (perHour: number, size: number) => {
    const verdicts = Array.from(
      { length: SEEDS },
      (_, seed) => judge(MEASURED, readings(noisy(rising(perHour), size, seed + 1)), WORK).verdict,
    );
    const count = (verdict: Verdict) => verdicts.filter(entry => entry === verdict).length;
    return { flat: count('flat'), grows: count('grows') };
  };

  test.each([0.5, 1, 2, 4, 8])('rarely classifies a leak of twice the limit as flat with noise of %s', size => {
    expect(countVerdicts(2 * LIMIT, size).flat).toBeLessThanOrEqual(SEEDS / 50);
  });

  test.each([0.5, 1, 2, 4, 8])('rarely classifies a constant value as growing with noise of %s', size => {
    expect(countVerdicts(0, size).grows).toBeLessThanOrEqual(SEEDS / 50);
  });

  test('detects a leak and a constant value with little noise', () => {
    expect(countVerdicts(2 * LIMIT, 0.5).grows).toBeGreaterThanOrEqual(SEEDS * 0.95);
    expect(countVerdicts(0, 0.5).flat).toBeGreaterThanOrEqual(SEEDS * 0.95);
  });
});
