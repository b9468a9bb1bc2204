import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toWallTime, wallTimeToInstants } from './maintenance-window.ts';

const HOUR_MS = 3_600_000;
const at = (text: string): number => Date.parse(`${text}:00Z`);
const format = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

/** The wall-clock time of an instant, as if it were UTC. */
function wallClock(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return ms => Date.parse(`${format.format(ms).replace(' ', 'T')}Z`);
}

describe('wall-clock time', () => {
  test('equals the result of Intl in every zone at any time', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const seconds = fc.integer({ min: at('1973-01-01T00:00') / 1000, max: at('2040-01-01T00:00') / 1000 });
    fc.assert(
      fc.property(zones, seconds, (zone, second) => {
        expect(format(toWallTime(zone, second * 1000))).toBe(format(wallClock(zone)(second * 1000)));
      }),
      { numRuns: 300 },
    );
  });

  test('is correct for years, hour by hour, although the cache is limited', () => {
    const expected = wallClock('Europe/Berlin');
    for (let ms = at('2025-01-01T00:00'); ms < at('2027-06-01T00:00'); ms += HOUR_MS) {
      if (toWallTime('Europe/Berlin', ms) !== expected(ms)) expect.fail(`wrong at ${format(ms)}`);
    }
  });

  test.each([
    ['once', 'Europe/Berlin', '2026-06-01T12:00', '2026-06-01T10:00', '2026-06-01T10:00'],
    [
      'once, right before clocks go forward',
      'Europe/Berlin',
      '2026-03-29T01:59',
      '2026-03-29T00:59',
      '2026-03-29T00:59',
    ],
    ['never, when clocks go forward', 'Europe/Berlin', '2026-03-29T02:00', '2026-03-29T01:00', '2026-03-29T01:00'],
    ['never, up to the last minute', 'Europe/Berlin', '2026-03-29T02:59', '2026-03-29T01:00', '2026-03-29T01:00'],
    ['once, right after', 'Europe/Berlin', '2026-03-29T03:00', '2026-03-29T01:00', '2026-03-29T01:00'],
    [
      'once, right before the repeated hour',
      'Europe/Berlin',
      '2026-10-25T01:59',
      '2026-10-24T23:59',
      '2026-10-24T23:59',
    ],
    ['twice', 'Europe/Berlin', '2026-10-25T02:00', '2026-10-25T00:00', '2026-10-25T01:00'],
    ['twice, up to the last minute', 'Europe/Berlin', '2026-10-25T02:59', '2026-10-25T00:59', '2026-10-25T01:59'],
    [
      'once, right after the repeated hour',
      'Europe/Berlin',
      '2026-10-25T03:00',
      '2026-10-25T02:00',
      '2026-10-25T02:00',
    ],
    ['never, on a skipped day', 'Pacific/Apia', '2011-12-30T15:00', '2011-12-30T10:00', '2011-12-30T10:00'],
  ])('maps to its first and last instant if it occurs %s', (_what, zone, wall, first, last) => {
    const { firstMs, lastMs } = wallTimeToInstants(zone, at(wall));
    expect([format(firstMs), format(lastMs)]).toEqual([first, last]);
  });
});
