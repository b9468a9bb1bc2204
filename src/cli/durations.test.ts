import { describe, expect, test } from 'vitest';
import { durationOf, parseDuration, parseSeconds } from './durations.ts';

const HOUR_MS = 3_600_000;

describe('lengths of time', () => {
  test.each([
    ['45s', 45_000],
    ['30m', HOUR_MS / 2],
    ['24h', 24 * HOUR_MS],
    ['7d', 7 * 24 * HOUR_MS],
    ['2w', 14 * 24 * HOUR_MS],
    ['1h30m', 1.5 * HOUR_MS],
    ['0s', 0],
  ])('%s is %i ms', (text, ms) => {
    expect(durationOf(text)).toBe(ms);
  });

  test.each(['', '24', 'h', '1.5h', '-1h', '1 h', '1h ', '24hours', '1H', '99999999999999w'])(
    '%j is none, and says what one looks like',
    text => {
      expect(durationOf(text)).toBeUndefined();
      expect(() => parseDuration(text)).toThrow(
        'It must be a duration such as 90s, 10m, 1h30m, 24h, 7d or 2w.',
      );
    },
  );

  test.each([
    ['90s', 90],
    ['1h30m', 5400],
    ['600', 600],
    ['0', 0],
  ])('%s is %i seconds in a policy', (text, seconds) => {
    expect(parseSeconds(text)).toBe(seconds);
  });
});
