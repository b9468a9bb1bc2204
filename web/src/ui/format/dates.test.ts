import { expect, test } from 'vitest';
import { formatRelative } from './dates.ts';

test.each([
  [0, '0s ago'],
  [5000, '5s ago'],
  [60_000, '1m ago'],
  [61_000, '1m ago'],
  [3 * 3_600_000 + 5000, '3h ago'],
  [26 * 3_600_000, '1d ago'],
  [-900, '0s ago'],
  [-5000, 'in 5s'],
  [-90_000, 'in 1m'],
])('formatRelative(%i) returns %s', (elapsedMs, text) => {
  expect(formatRelative(elapsedMs)).toBe(text);
});
