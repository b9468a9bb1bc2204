import { expect, test } from 'vitest';
import { formatTimestamp, parseTimestamp } from '../domain/timestamp.ts';
import { timeOf, wireTime } from './times.ts';

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
