import { expect, test } from 'vitest';
import { clearedUntil, freshnessMs, isCleared, isFresh } from './outage.ts';

test.each([
  [1, 60_000, 15_000],
  [200, 300_000, 15_000],
  [201, 300_000, 60_000],
  [201, 20_000, 20_000],
])(
  'members of a cluster of %d, checked every %d ms, must have answered within %d ms',
  (members, interval, window) => {
    expect(freshnessMs(members, interval)).toBe(window);
  },
);

const NOW = 1_000_000;

test.each([
  ['now', 0, true],
  ['at the edge of the window', -15_000, true],
  ['before the window', -15_001, false],
  ['in the future, before the clock was set back', 1, false],
])('an answer that was given %s (%d ms) counts: %s', (_when, atMs, isCounted) => {
  expect(isFresh(NOW + atMs, NOW, 15_000)).toBe(isCounted);
});

test('a permission to reboot ends with the answers that it relies on, and after 15 s at the latest', () => {
  expect(clearedUntil(NOW, NOW + 4000)).toBe(NOW + 4000);
  expect(clearedUntil(NOW, Number.POSITIVE_INFINITY)).toBe(NOW + 15_000);
});

test.each([
  ['was not given', null, false],
  ['ends later', 1, true],
  ['ends now', 0, false],
  ['ends later than any that is given', 15_001, false],
])('a permission to reboot that %s (%d ms) counts: %s', (_what, untilMs, isCounted) => {
  expect(isCleared(untilMs === null ? null : NOW + untilMs, NOW)).toBe(isCounted);
});
