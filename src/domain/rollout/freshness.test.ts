import { expect, test } from 'vitest';
import { clearedUntil, freshnessMs, isCleared, isFresh } from './freshness.ts';

test.each([
  [1, 60_000, 15_000],
  [200, 300_000, 15_000],
  [201, 300_000, 60_000],
  [201, 20_000, 20_000],
])('in a cluster of %d members checked every %d ms, responses stay fresh for %d ms', (members, interval, window) => {
  expect(freshnessMs(members, interval)).toBe(window);
});

const NOW = 1_000_000;

test.each([
  ['now', 0, true],
  ['at the edge of the window', -15_000, true],
  ['older than the window', -15_001, false],
  ['in the future, before the clock was set back', 1, false],
])('a response %s (%d ms) is fresh: %s', (_when, atMs, isCounted) => {
  expect(isFresh(NOW + atMs, NOW, 15_000)).toBe(isCounted);
});

test('a reboot clearance ends when the responses become stale, after 15 s at the latest', () => {
  expect(clearedUntil(NOW, NOW + 4000)).toBe(NOW + 4000);
  expect(clearedUntil(NOW, Number.POSITIVE_INFINITY)).toBe(NOW + 15_000);
});

test.each([
  ['was not given', null, false],
  ['ends later', 1, true],
  ['ends now', 0, false],
  ['ends later than the maximum', 15_001, false],
])('a reboot clearance that %s (%d ms) is valid: %s', (_what, untilMs, isCounted) => {
  expect(isCleared(untilMs === null ? null : NOW + untilMs, NOW)).toBe(isCounted);
});
