import { expect, test } from 'vitest';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';

test.each([
  ['the epoch', 0, '1970-01-01T00:00:00.000000'],
  ['milliseconds as six digits', Date.UTC(2015, 11, 17, 15, 48, 18, 710), '2015-12-17T15:48:18.710000'],
  ['a whole second', Date.UTC(2026, 0, 2, 3, 4, 5), '2026-01-02T03:04:05.000000'],
  ['a fraction of a millisecond, truncated', 1.9, '1970-01-01T00:00:00.001000'],
])('formatTimestamp formats %s', (_what, epochMs, text) => {
  expect(formatTimestamp(epochMs)).toBe(text);
});

test('timestamps sort as text', () => {
  expect(formatTimestamp(999) < formatTimestamp(1000)).toBe(true);
});

test('parseTimestamp reads UTC in any local time zone', () => {
  expect(parseTimestamp('2015-12-17T15:48:18.710454')).toBe(Date.UTC(2015, 11, 17, 15, 48, 18, 710));
});
