import { expect, test } from 'vitest';
import { pruneIntervalMs } from './retention.ts';

const HOUR_MS = 3_600_000;

test.each([
  ['a year', 365 * 24 * HOUR_MS, 6 * HOUR_MS],
  ['two days', 48 * HOUR_MS, 6 * HOUR_MS],
  ['a day', 24 * HOUR_MS, 3 * HOUR_MS],
  ['an hour', HOUR_MS, HOUR_MS / 8],
  ['100 ms', 100, 1000],
])('pruneIntervalMs returns $2 for a retention of %s', (_what, retentionMs, intervalMs) => {
  expect(pruneIntervalMs(retentionMs)).toBe(intervalMs);
});
