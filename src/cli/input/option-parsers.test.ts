import { describe, expect, test } from 'vitest';
import { parseDuration, parseDurationSeconds, parseTime, tryParseDuration } from './option-parsers.ts';

const HOUR_MS = 3_600_000;

describe('duration parsers', () => {
  test.each([
    ['45s', 45_000],
    ['30m', HOUR_MS / 2],
    ['24h', 24 * HOUR_MS],
    ['7d', 7 * 24 * HOUR_MS],
    ['2w', 14 * 24 * HOUR_MS],
    ['1h30m', 1.5 * HOUR_MS],
    ['0s', 0],
  ])('parse %s as %i ms', (text, ms) => {
    expect(tryParseDuration(text)).toBe(ms);
  });

  test.each(['', '24', 'h', '1.5h', '-1h', '1 h', '1h ', '24hours', '1H', '99999999999999w'])(
    'reject %j with an example of the format',
    text => {
      expect(tryParseDuration(text)).toBeUndefined();
      expect(() => parseDuration(text)).toThrow('It must be a duration such as 90s, 10m, 1h30m, 24h, 7d or 2w.');
    },
  );

  test.each([
    ['90s', 90],
    ['1h30m', 5400],
    ['600', 600],
    ['0', 0],
  ])('parse %s as %i seconds for a policy', (text, seconds) => {
    expect(parseDurationSeconds(text)).toBe(seconds);
  });
});

const NOW_MS = Date.parse('2026-11-15T08:30:00Z');

describe('parseTime()', () => {
  test.each([
    ['1h', '2026-11-15T07:30:00.000000'],
    ['7d', '2026-11-08T08:30:00.000000'],
    ['2026-11-01', '2026-11-01'],
    ['2026-11-01T10:00', '2026-11-01T10:00'],
    ['2026-11-01T10:00:00.5Z', '2026-11-01T10:00:00.500000'],
    ['2026-11-01T10:00:00+02:00', '2026-11-01T08:00:00.000000'],
  ])('converts %s to %s', (text, wire) => {
    expect(parseTime(text, NOW_MS)).toBe(wire);
  });

  test.each(['yesterday', '', '1 h', '2026-13-45T99:00Z', '9999999w'])('rejects %j', text => {
    expect(() => parseTime(text, NOW_MS)).toThrow(`invalid time "${text}": use 1h or 7d`);
  });
});
