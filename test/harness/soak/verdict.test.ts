import { expect, test } from 'vitest';
import { Random } from '../../engine/operations/model/random.ts';
import type { Verdict } from './verdict.ts';
import { judge } from './verdict.ts';

const SECOND_MS = 1000;
const MEASURED = { what: 'memory', unit: 'MiB', limitPerDay: (first: number) => first / 2 };

const readings = (values: readonly number[]) =>
  values.map((value, index) => ({ atMs: index * 10 * SECOND_MS, value }));
/** For twenty minutes. */
const rising = (perHour: number) =>
  Array.from({ length: 120 }, (_, index) => 100 + (perHour * index * 10) / 3600);

/** By chance its numbers go up a little. */
const random = new Random(6);

test.each<[string, readonly number[], Verdict]>([
  ['what never changes', rising(0), 'flat'],
  ['what falls', rising(-100), 'flat'],
  ['what rises by less than the limit in a day', rising(2), 'flat'],
  ['what rises by more than the limit in a day', rising(2.2), 'grows'],
  [
    'what seems to rise, but jumps up and down by more',
    rising(0).map(value => value + 30 * random.next()),
    'steady',
  ],
  ['what was hardly looked at', rising(50).slice(0, 4), 'unknown'],
  ['what was never seen', [], 'unknown'],
])('%s', (_what, values, verdict) => {
  expect(judge(MEASURED, readings(values)).verdict).toBe(verdict);
});

test('tells what it would be in a day, beside the limit', () => {
  expect(judge(MEASURED, readings(rising(10)))).toMatchObject({
    what: 'memory',
    unit: 'MiB',
    perHour: expect.closeTo(10, 6),
    perDay: expect.closeTo(240, 4),
    limitPerDay: expect.closeTo(50, 0),
    verdict: 'grows',
  });
});
