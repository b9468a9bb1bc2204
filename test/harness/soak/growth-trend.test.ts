import { describe, expect, test } from 'vitest';
import { Random } from '../random.ts';
import type { Reading } from './growth-verdict.ts';
import { estimateTrend, toWindowMedians } from './growth-verdict.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** One reading every ten seconds. */
const readingsOf = (minutes: number, valueAt: (hours: number, index: number) => number): Reading[] =>
  Array.from({ length: minutes * 6 }, (_, index) => {
    const atMs = index * 10 * SECOND_MS;
    return { atMs, value: valueAt(atMs / HOUR_MS, index) };
  });

const noise = (seed: number) => {
  const random = new Random(seed);
  return () => random.next() - 0.5;
};

describe('estimateTrend', () => {
  test.each<[string, (hours: number, index: number) => number, number]>([
    ['returns the slope of a line', hours => 100 + 12 * hours, 12],
    ['returns zero for constant values', () => 7, 0],
    ['returns a negative slope for falling values', hours => 100 - 3 * hours, -3],
    ['ignores outliers', (hours, index) => (index % 17 === 0 ? 9e9 : 12 * hours), 12],
  ])('%s', (_case, valueAt, perHour) => {
    expect(estimateTrend(readingsOf(20, valueAt))?.perHour).toBeCloseTo(perHour, 6);
  });

  test('returns bounds that contain the true slope and exclude zero if the slope exceeds the noise', () => {
    const noiseValue = noise(1);
    const slope = estimateTrend(readingsOf(20, hours => 100 + 60 * hours + 10 * noiseValue()));
    expect(slope?.atLeastPerHour).toBeGreaterThan(0);
    expect(slope?.atLeastPerHour).toBeLessThan(60);
    expect(slope?.atMostPerHour).toBeGreaterThan(60);
  });

  test('rarely excludes zero for pure noise', () => {
    const rises = Array.from({ length: 200 }, (_, seed) => {
      const noiseValue = noise(seed + 1);
      return estimateTrend(readingsOf(20, () => 100 + noiseValue()))?.atLeastPerHour ?? 0;
    }).filter(atLeastPerHour => atLeastPerHour > 0);
    expect(rises.length).toBeLessThanOrEqual(4);
  });

  test('does not exclude zero for a sawtooth', () => {
    const slope = estimateTrend(readingsOf(20, (_hours, index) => 100 + (index % 9)));
    expect(slope?.atLeastPerHour).toBeLessThanOrEqual(0);
    expect(slope?.atMostPerHour).toBeGreaterThanOrEqual(0);
  });

  test('returns the first and last levels', () => {
    expect(estimateTrend(readingsOf(60, hours => 100 + 60 * hours))).toMatchObject({
      first: expect.closeTo(101.5, 0),
      last: expect.closeTo(158.5, 0),
    });
  });

  test.each([0, 1, 4])('returns undefined for %s readings', count => {
    expect(estimateTrend(readingsOf(20, hours => hours).slice(0, count))).toBeUndefined();
  });
});

describe('toWindowMedians', () => {
  test.each([
    [5, 5],
    [6, 5],
    [20, 10],
    [61, 20],
    [600, 20],
  ])('splits %s readings into %s windows without omitting any', (count, windows) => {
    const readings = Array.from({ length: count }, (_, index) => ({ atMs: index, value: index }));
    const found = toWindowMedians(readings);
    expect(found).toHaveLength(windows);
    expect(found.map(({ atMs }) => atMs)).toEqual(found.map(({ value }) => value));
  });
});
