import { expect, test } from 'vitest';
import { formatTimestamp, parseTimestamp } from '../domain/timestamp.ts';
import { localTime, timeOf, wireTime } from './times.ts';

test.each([0, 1.9, Date.UTC(2026, 10, 15, 8, 30, 0, 710)])(
  'clients write %d as the service does',
  epochMs => {
    expect(wireTime(epochMs)).toBe(formatTimestamp(epochMs));
  },
);

test('clients read a time as the service does', () => {
  const written = '2015-12-17T15:48:18.710454';
  expect(timeOf(written)).toBe(parseTimestamp(written));
});

test.each([
  ['a time of today has no date', new Date(2026, 10, 16, 9, 3), '09:03'],
  ['a time of yesterday has a date', new Date(2026, 10, 15, 23, 59), '2026-11-15 23:59'],
])('%s', (_what, at, text) => {
  expect(localTime(wireTime(at.getTime()), new Date(2026, 10, 16, 12, 0).getTime())).toBe(text);
});
