import { expect, test } from 'vitest';
import { formatTimestamp, parseTimestamp, utcTime as serverUtcTime } from '../domain/timestamp.ts';
import { duration, timeOf, utcTime, wireTime } from './times.ts';

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

test('clients print a time as messages of the server do', () => {
  const written = '2015-12-17T15:48:18.710454';
  expect(utcTime(written)).toBe(serverUtcTime(written));
});

test.each([
  ['2026-11-15T12:03:05.710454', '2026-11-15 12:03:05 UTC'],
  [null, ''],
  ['', ''],
])('people read the time %j as %j', (timestamp, text) => {
  expect(utcTime(timestamp)).toBe(text);
});

test.each([
  [0, '0s'],
  [59_400, '59s'],
  [60_000, '1m'],
  [130_000, '2m 10s'],
  [3_600_000, '1h'],
  [11_100_000, '3h 5m'],
  [86_400_000, '1d'],
  [3 * 86_400_000 + 7_200_000, '3d 2h'],
])('people read a duration of %d ms as %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
