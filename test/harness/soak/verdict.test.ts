import { describe, expect, test } from 'vitest';
import { Random } from '../../engine/operations/model/random.ts';
import type { Verdict } from './verdict.ts';
import { judge } from './verdict.ts';
import type { WorkPerHour } from './work-per-hour.ts';

const SECOND_MS = 1000;
const LIMIT = 10;
const WORK: WorkPerHour = {
  ...{ servers: 1, requests: 5 * LIMIT, checks: 0, events: 0, operations: 0, operationHosts: 0 },
  ...{ readers: 0, guests: 0 },
};
const MEASURED = { what: 'memory', unit: 'MiB', limitPerHour: ({ requests }: WorkPerHour) => requests / 5 };

const readings = (values: readonly number[]) =>
  values.map((value, index) => ({ atMs: index * 10 * SECOND_MS, value }));
/** For twenty minutes. */
const rising = (perHour: number) =>
  Array.from({ length: 120 }, (_, index) => 100 + (perHour * index * 10) / 3600);

/** Jumps about by so much to each side; what follows resembles what was before. */
function noisy(values: readonly number[], size: number, seed: number): readonly number[] {
  const random = new Random(seed);
  let last = 0;
  return values.map(value => {
    last = 0.7 * last + 0.7 * (2 * random.next() - 1);
    return value + size * last;
  });
}

test.each<[string, readonly number[], Verdict]>([
  ['what never changes', rising(0), 'flat'],
  ['what falls', rising(-100), 'flat'],
  ['what rises by no more than the limit', rising(LIMIT - 0.1), 'flat'],
  ['what rises by more than the limit', rising(LIMIT + 0.1), 'grows'],
  ['what jumps up and down by little', noisy(rising(0), 1, 6), 'flat'],
  ['what jumps up and down by so much that it may rise', noisy(rising(0), 30, 6), 'unknown'],
  ['what was hardly looked at', rising(50).slice(0, 4), 'unknown'],
  ['what was never seen', [], 'unknown'],
])('%s', (_what, values, verdict) => {
  expect(judge(MEASURED, readings(values), WORK).verdict).toBe(verdict);
});

test('what may grow goes with the work', () => {
  const half = { ...WORK, requests: WORK.requests / 2 };
  expect(judge(MEASURED, readings(rising(0.6 * LIMIT)), WORK).verdict).toBe('flat');
  expect(judge(MEASURED, readings(rising(0.6 * LIMIT)), half).verdict).toBe('grows');
});

test('tells its slope beside the limit', () => {
  expect(judge(MEASURED, readings(rising(12)), WORK)).toMatchObject({
    ...{ what: 'memory', unit: 'MiB', limitPerHour: LIMIT, verdict: 'grows' },
    perHour: expect.closeTo(12, 6),
  });
});

describe('with noise', () => {
  const SEEDS = 100;
  const counted = (perHour: number, size: number) => {
    const verdicts = Array.from(
      { length: SEEDS },
      (_, seed) => judge(MEASURED, readings(noisy(rising(perHour), size, seed + 1)), WORK).verdict,
    );
    const of = (verdict: Verdict) => verdicts.filter(each => each === verdict).length;
    return { flat: of('flat'), grows: of('grows') };
  };

  test.each([0.5, 1, 2, 4, 8])('of %s a leak of twice the limit is hardly ever called flat', size => {
    expect(counted(2 * LIMIT, size).flat).toBeLessThanOrEqual(SEEDS / 50);
  });

  test.each([0.5, 1, 2, 4, 8])('of %s what does not rise is hardly ever said to grow', size => {
    expect(counted(0, size).grows).toBeLessThanOrEqual(SEEDS / 50);
  });

  test('that is small one is told from the other', () => {
    expect(counted(2 * LIMIT, 0.5).grows).toBeGreaterThanOrEqual(SEEDS * 0.95);
    expect(counted(0, 0.5).flat).toBeGreaterThanOrEqual(SEEDS * 0.95);
  });
});
