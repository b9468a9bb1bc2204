import { describe, expect, test } from 'vitest';
import { Random } from '../../engine/operations/model/random.ts';
import type { Reading } from './slope.ts';
import { slopeOf, stretchesOf } from './slope.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;

/** One reading in ten seconds, for so many minutes. */
const readingsOf = (minutes: number, valueAt: (hours: number, index: number) => number): Reading[] =>
  Array.from({ length: minutes * 6 }, (_, index) => {
    const atMs = index * 10 * SECOND_MS;
    return { atMs, value: valueAt(atMs / HOUR_MS, index) };
  });

const noise = (seed: number) => {
  const random = new Random(seed);
  return () => random.next() - 0.5;
};

describe('a slope', () => {
  test.each<[string, (hours: number, index: number) => number, number]>([
    ['of a line is its own', hours => 100 + 12 * hours, 12],
    ['of what never changes is zero', () => 7, 0],
    ['of what falls is below zero', hours => 100 - 3 * hours, -3],
    ['is not moved by single readings far off', (hours, index) => (index % 17 === 0 ? 9e9 : 12 * hours), 12],
  ])('%s', (_what, valueAt, perHour) => {
    expect(slopeOf(readingsOf(20, valueAt))?.perHour).toBeCloseTo(perHour, 6);
  });

  test('has its true value between its bounds, and is told apart from zero, where it is above the noise', () => {
    const some = noise(1);
    const slope = slopeOf(readingsOf(20, hours => 100 + 60 * hours + 10 * some()));
    expect(slope?.atLeastPerHour).toBeGreaterThan(0);
    expect(slope?.atLeastPerHour).toBeLessThan(60);
    expect(slope?.atMostPerHour).toBeGreaterThan(60);
  });

  test('that is only noise is seldom told apart from zero', () => {
    const rises = Array.from({ length: 200 }, (_, seed) => {
      const some = noise(seed + 1);
      return slopeOf(readingsOf(20, () => 100 + some()))?.atLeastPerHour ?? 0;
    }).filter(atLeastPerHour => atLeastPerHour > 0);
    expect(rises.length).toBeLessThanOrEqual(4);
  });

  test('of a saw that is cut again and again is not told apart from zero', () => {
    const slope = slopeOf(readingsOf(20, (_hours, index) => 100 + (index % 9)));
    expect(slope?.atLeastPerHour).toBeLessThanOrEqual(0);
    expect(slope?.atMostPerHour).toBeGreaterThanOrEqual(0);
  });

  test('comes with the levels that it goes from and to', () => {
    expect(slopeOf(readingsOf(60, hours => 100 + 60 * hours))).toMatchObject({
      first: expect.closeTo(101.5, 0),
      last: expect.closeTo(158.5, 0),
    });
  });

  test.each([0, 1, 4])('cannot be told from %s readings', count => {
    expect(slopeOf(readingsOf(20, hours => hours).slice(0, count))).toBeUndefined();
  });
});

describe('stretches', () => {
  test.each([
    [5, 5],
    [6, 5],
    [20, 10],
    [61, 20],
    [600, 20],
  ])('of %s readings are %s, and none is left out', (count, stretches) => {
    const readings = Array.from({ length: count }, (_, index) => ({ atMs: index, value: index }));
    const found = stretchesOf(readings);
    expect(found).toHaveLength(stretches);
    expect(found.map(({ atMs }) => atMs)).toEqual(found.map(({ value }) => value));
  });
});
