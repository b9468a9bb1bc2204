// Compares windows with their definition minute by minute, using Intl for wall-clock times instead of calculations.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IS_LONG_RUN } from '../../../test/harness/vitest/long-run.ts';
import type { Weekday } from '../vocabulary.ts';
import { WEEKDAYS } from '../vocabulary.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';
import { isWindowOpen, nextWindowChange } from './maintenance-window.ts';

const RUNS = IS_LONG_RUN ? 100 : 40;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Parses UTC to the minute. */
const at = (text: string): number => Date.parse(`${text}:00Z`);
const format = (ms: number): string => new Date(ms).toISOString().slice(0, 16);

/** Most of these times are close to a clock change. */
const MOMENTS: readonly (readonly [zone: string, around: string])[] = [
  ['Europe/Berlin', '2026-03-29T01:00'],
  ['Europe/Berlin', '2026-10-25T01:00'],
  ['Europe/Berlin', '2026-06-10T12:00'],
  ['America/New_York', '2026-03-08T07:00'],
  ['America/New_York', '2026-11-01T06:00'],
  ['America/St_Johns', '2010-11-07T02:31'],
  ['America/St_Johns', '2010-03-14T03:31'],
  ['America/Sao_Paulo', '2018-11-04T03:00'],
  ['America/Sao_Paulo', '2018-02-18T02:00'],
  ['Australia/Lord_Howe', '2026-04-04T15:00'],
  ['Australia/Lord_Howe', '2026-10-03T15:30'],
  ['Asia/Kolkata', '2026-03-29T01:00'],
  ['Pacific/Apia', '2011-12-30T10:00'],
  ['UTC', '2028-02-29T00:00'],
];

const moments = fc.constantFrom(...MOMENTS);
const days = fc.subarray([...WEEKDAYS], { minLength: 1 });
/** Often at night, when clocks change. */
const time = fc
  .oneof(fc.integer({ min: 0, max: 240 }), fc.integer({ min: 0, max: 1439 }))
  .map(minutes => new Date(minutes * MINUTE_MS).toISOString().slice(11, 16));

/** The wall-clock time of an instant, as if it were UTC. */
function wallClock(zone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return ms => Date.parse(`${format.format(ms).replace(' ', 'T')}Z`);
}

/** For each minute: the latest wall-clock time so far, the earliest from then on, and the earliest after it. */
function wallTimes(zone: string, minutes: readonly number[]) {
  const shown = minutes.map(wallClock(zone));
  const latest: number[] = [];
  const earliest: number[] = [];
  for (const wall of shown) latest.push(Math.max(wall, latest.at(-1) ?? wall));
  for (const wall of shown.toReversed()) earliest.push(Math.min(wall, earliest.at(-1) ?? wall));
  return minutes.map((ms, index) => ({
    ms,
    latest: latest[index] ?? Number.NaN,
    earliest: earliest.at(-1 - index) ?? Number.NaN,
    earliestLater: earliest.at(-2 - index) ?? Number.NaN,
  }));
}

const weekday = (wall: number) =>
  new Date(wall).toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' }).toLowerCase() as Weekday;

/** The open periods as wall-clock times, ignoring clock changes. */
function wallPeriods({ days, start, end }: MaintenanceWindow, aroundMs: number) {
  const dates = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map(day => Math.floor(aroundMs / DAY_MS + day) * DAY_MS);
  return dates
    .filter(date => days.includes(weekday(date)))
    .map(date => {
      const [from, to] = [start, end].map(time => Date.parse(`1970-01-01T${time}Z`)) as [number, number];
      return { fromWall: date + from, toWall: date + to + (to > from ? 0 : DAY_MS) };
    });
}

describe('maintenance window around clock changes in any zone', () => {
  test('opens when the wall clock first reaches its start and closes when it last reaches its end', () => {
    const wallTimesAround = new Map(
      MOMENTS.map(([zone, around]) => {
        const minutes = Array.from({ length: 4 * 1440 }, (_, index) => at(around) + (index - 2880) * MINUTE_MS);
        return [`${zone} ${around}`, wallTimes(zone, minutes)];
      }),
    );
    fc.assert(
      fc.property(moments, days, time, time, ([zone, around], days, start, end) => {
        const window = { days, start, end, zone };
        const hours = wallPeriods(window, at(around));
        // Drops a day on either side, because earlier and later wall-clock times matter.
        const checked = wallTimesAround.get(`${zone} ${around}`)?.slice(1440, -1440) ?? [];
        const differing = checked.filter(({ ms, latest, earliest, earliestLater }) => {
          // If the end occurs twice, the window closes at the last occurrence.
          const isExpectedOpen = hours.some(
            ({ fromWall, toWall }) => fromWall <= latest && (earliest < toWall || earliestLater <= toWall),
          );
          return isWindowOpen(window, ms) !== isExpectedOpen;
        });
        expect(differing.map(({ ms }) => format(ms))).toEqual([]);
      }),
      { numRuns: RUNS, examples: [[['Australia/Lord_Howe', '2026-04-04T15:00'], ['sun'], '00:00', '01:30']] },
    );
  });

  test('changes next at the first instant with a different result', () => {
    const offset = fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS });
    fc.assert(
      fc.property(moments, offset, days, time, time, ([zone, around], offsetMs, days, start, end) => {
        const window = { days, start, end, zone };
        const nowMs = at(around) + offsetMs;
        const changeMs = nextWindowChange(window, nowMs);
        if (changeMs === null) expect([days.length, start]).toEqual([7, end]);
        const untilMs = changeMs ?? nowMs + 16 * DAY_MS;
        const isOpenNow = isWindowOpen(window, nowMs);
        expect(untilMs).toBeGreaterThan(nowMs);
        for (let ms = nowMs; ms < untilMs; ms += MINUTE_MS) {
          if (isWindowOpen(window, ms) !== isOpenNow) expect.fail(`changes already at ${format(ms)}`);
        }
        expect(isWindowOpen(window, untilMs - 1)).toBe(isOpenNow);
        if (changeMs !== null) expect(isWindowOpen(window, changeMs)).toBe(!isOpenNow);
      }),
      { numRuns: RUNS },
    );
  });
});
