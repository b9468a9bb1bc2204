import { describe, expect, test } from 'vitest';
import { WEEKDAYS } from '../vocabulary.ts';
import type { MaintenanceWindow } from './maintenance-window.ts';
import { isWindowOpen, nextWindowChange, validateWindow } from './maintenance-window.ts';

const DAY_MS = 86_400_000;

/** Parses `sun 02:30-04:00 Europe/Berlin`; several days as `sat,sun`. */
function windowOf(text: string): MaintenanceWindow {
  const [days = '', hours = '', zone = ''] = text.split(' ');
  const [start = '', end = ''] = hours.split('-');
  const named = days === 'daily' ? WEEKDAYS : WEEKDAYS.filter(day => days.split(',').includes(day));
  return { days: named, start, end, zone };
}

/** Parses UTC to the minute. */
const at = (text: string): number => Date.parse(`${text}:00Z`);
const format = (ms: number | null): string => (ms === null ? 'never' : new Date(ms).toISOString().slice(0, 16));

describe('maintenance window', () => {
  test.each([
    ['in UTC', 'mon 02:00-04:00 UTC', '2026-03-02T02:00', '2026-03-02T04:00'],
    ['in winter', 'mon 02:00-04:00 Europe/Berlin', '2026-03-02T01:00', '2026-03-02T03:00'],
    ['in summer', 'mon 02:00-04:00 Europe/Berlin', '2026-07-06T00:00', '2026-07-06T02:00'],
    ['west of UTC', 'mon 22:00-23:00 America/New_York', '2026-01-06T03:00', '2026-01-06T04:00'],
    ['in a zone with a half-hour offset', 'mon 01:00-02:00 Asia/Kolkata', '2026-03-01T19:30', '2026-03-01T20:30'],
    ['across midnight', 'sat 22:00-04:00 UTC', '2026-03-07T22:00', '2026-03-08T04:00'],
    ['up to midnight', 'sat 22:00-00:00 UTC', '2026-03-07T22:00', '2026-03-08T00:00'],
    ['for a whole day if both times are equal', 'sat 22:00-22:00 UTC', '2026-03-07T22:00', '2026-03-08T22:00'],
    ['for consecutive days', 'sat,sun 00:00-00:00 UTC', '2026-03-07T00:00', '2026-03-09T00:00'],
    ['before 1970', 'wed 02:00-04:00 UTC', '1969-12-31T02:00', '1969-12-31T04:00'],
  ])('opens and closes %s: %s', (_what, window, opens, closes) => {
    const opensMs = at(opens);
    expect(isWindowOpen(windowOf(window), opensMs - 1)).toBe(false);
    expect(isWindowOpen(windowOf(window), opensMs)).toBe(true);
    expect(isWindowOpen(windowOf(window), at(closes) - 1)).toBe(true);
    expect(isWindowOpen(windowOf(window), at(closes))).toBe(false);
    expect(format(nextWindowChange(windowOf(window), opensMs - 1))).toBe(opens);
    expect(format(nextWindowChange(windowOf(window), opensMs))).toBe(closes);
  });

  // Each row starts on the day before the clock change and lists all window changes within two days.
  test.each([
    [
      'forward within the window',
      'sun 01:00-04:00 Europe/Berlin',
      '2026-03-28T12:00',
      '2026-03-29T00:00',
      '2026-03-29T02:00',
    ],
    [
      'forward over the start',
      'sun 02:30-04:00 Europe/Berlin',
      '2026-03-28T12:00',
      '2026-03-29T01:00',
      '2026-03-29T02:00',
    ],
    [
      'forward over the end',
      'sun 01:00-02:30 Europe/Berlin',
      '2026-03-28T12:00',
      '2026-03-29T00:00',
      '2026-03-29T01:00',
    ],
    ['forward over the whole window', 'sun 02:15-02:45 Europe/Berlin', '2026-03-28T12:00'],
    [
      'back within the window',
      'sun 01:00-04:00 Europe/Berlin',
      '2026-10-24T12:00',
      '2026-10-24T23:00',
      '2026-10-25T03:00',
    ],
    [
      'back over the start',
      'sun 02:30-04:00 Europe/Berlin',
      '2026-10-24T12:00',
      '2026-10-25T00:30',
      '2026-10-25T03:00',
    ],
    ['back over the end', 'sun 01:00-02:30 Europe/Berlin', '2026-10-24T12:00', '2026-10-24T23:00', '2026-10-25T01:30'],
    [
      'back over the whole window',
      'sun 02:15-02:45 Europe/Berlin',
      '2026-10-24T12:00',
      '2026-10-25T00:15',
      '2026-10-25T01:45',
    ],
    [
      'forward in America',
      'sun 02:30-03:30 America/New_York',
      '2026-03-07T12:00',
      '2026-03-08T07:00',
      '2026-03-08T07:30',
    ],
    ['back in America', 'sun 01:30-03:00 America/New_York', '2026-10-31T12:00', '2026-11-01T05:30', '2026-11-01T08:00'],
    [
      'forward by half an hour',
      'sun 02:10-03:00 Australia/Lord_Howe',
      '2026-10-03T03:00',
      '2026-10-03T15:30',
      '2026-10-03T16:00',
    ],
    [
      'back by half an hour',
      'sun 01:40-01:50 Australia/Lord_Howe',
      '2026-04-04T03:00',
      '2026-04-04T14:40',
      '2026-04-04T15:20',
    ],
    [
      'forward in the southern hemisphere',
      'sun 02:30-04:00 Australia/Sydney',
      '2026-10-03T03:00',
      '2026-10-03T16:00',
      '2026-10-03T17:00',
    ],
    [
      'back in the southern hemisphere',
      'sun 02:30-04:00 Australia/Sydney',
      '2026-04-04T03:00',
      '2026-04-04T15:30',
      '2026-04-04T18:00',
    ],
    [
      'forward at midnight',
      'sun 00:00-02:00 America/Sao_Paulo',
      '2018-11-03T12:00',
      '2018-11-04T03:00',
      '2018-11-04T04:00',
    ],
    [
      'forward at midnight over the end',
      'sat 23:00-00:30 America/Sao_Paulo',
      '2018-11-03T12:00',
      '2018-11-04T02:00',
      '2018-11-04T03:00',
    ],
    [
      'back over midnight',
      'sun 00:00-00:30 America/St_Johns',
      '2010-11-06T12:00',
      '2010-11-07T02:30',
      '2010-11-07T04:00',
    ],
    [
      'back over midnight, on the day before',
      'sat 23:30-23:59 America/St_Johns',
      '2010-11-06T12:00',
      '2010-11-07T02:00',
      '2010-11-07T03:29',
    ],
    [
      'back over midnight in a 24-hour window',
      'fri 23:59-23:59 America/St_Johns',
      '2010-11-06T12:00',
      '2010-11-07T03:29',
    ],
    ['over a whole day', 'fri 10:00-12:00 Pacific/Apia', '2011-12-29T12:00'],
    [
      'over a whole day, and the start',
      'fri 22:00-04:00 Pacific/Apia',
      '2011-12-29T12:00',
      '2011-12-30T10:00',
      '2011-12-30T14:00',
    ],
    [
      'over a whole day, and the end',
      'thu 22:00-04:00 Pacific/Apia',
      '2011-12-29T12:00',
      '2011-12-30T08:00',
      '2011-12-30T10:00',
    ],
    ['over the day before', 'sat 00:00-04:00 Pacific/Apia', '2011-12-29T12:00', '2011-12-30T10:00', '2011-12-30T14:00'],
  ])('opens and closes around a clock change %s: %s', (_what, window, from, ...changes) => {
    const changesFound = [];
    let ms = nextWindowChange(windowOf(window), at(from));
    while (ms !== null && ms < at(from) + 2 * DAY_MS) {
      changesFound.push(format(ms));
      ms = nextWindowChange(windowOf(window), ms);
    }
    expect(changesFound).toEqual(changes);
  });

  test.each([
    ['a week later', 'mon 02:00-04:00 UTC', '2026-03-02T04:00', '2026-03-09T02:00'],
    [
      'two weeks later if a clock change skips a period',
      'sun 02:15-02:45 Europe/Berlin',
      '2026-03-22T06:00',
      '2026-04-05T00:15',
    ],
    ['two weeks later if a day is skipped', 'fri 10:00-12:00 Pacific/Apia', '2011-12-23T22:00', '2012-01-05T20:00'],
    ['at the end of six days', 'mon,tue,wed,thu,fri,sat 06:00-06:00 UTC', '2026-03-02T06:00', '2026-03-08T06:00'],
    ['never if it is always open', 'daily 06:00-06:00 Europe/Berlin', '2026-03-02T06:00', 'never'],
  ])('changes next %s: %s', (_what, window, now, change) => {
    expect(format(nextWindowChange(windowOf(window), at(now)))).toBe(change);
  });

  // Clocks go back from 00:01 on Sunday to 23:01 on Saturday.
  test.each([
    ['the day that is repeated later', 'sun 00:00-00:30', '2010-11-07T03:00', '2010-11-07T04:00'],
    ['the day before yesterday', 'fri 23:59-23:59', '2010-11-07T02:30', '2010-11-07T03:29'],
  ])('stays open when clocks go back over midnight, opened on %s', (_what, hours, now, closes) => {
    const window = windowOf(`${hours} America/St_Johns`);
    expect(isWindowOpen(window, at(now))).toBe(true);
    expect(format(nextWindowChange(window, at(now)))).toBe(closes);
  });

  test('is never open without days', () => {
    const window = { ...windowOf('mon 02:00-04:00 UTC'), days: [] };
    expect(isWindowOpen(window, at('2026-03-02T03:00'))).toBe(false);
    expect(nextWindowChange(window, at('2026-03-02T03:00'))).toBeNull();
  });
});

describe('time zone of a window', () => {
  test.each(['UTC', 'Europe/Berlin', 'europe/berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3', 'EST5EDT'])(
    'accepts %s',
    zone => {
      expect(validateWindow({ ...windowOf('mon 02:00-04:00'), zone })).toBeUndefined();
    },
  );

  test.each(['', 'Mars/Olympus', 'Europe/Berlin ', '+01:00', '-0300', 'GMT+1', 'Z', '../Berlin'])(
    'rejects "%s"',
    zone => {
      expect(validateWindow({ ...windowOf('mon 02:00-04:00'), zone })).toMatch(/IANA/);
    },
  );
});
