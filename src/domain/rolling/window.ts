// When new hosts may be started on. Times are those of the clocks on the wall in a place, so that a window keeps its hours when
// summer time begins and ends. Where that leaves out its start or end, it opens or closes as the clocks are set; where a time comes
// twice, it opens at the first and closes at the last.

import { DAY_MS } from '../../lib/time/day.ts';
import type { Weekday } from '../vocabulary.ts';
import { WEEKDAYS } from '../vocabulary.ts';
import { instantsOf, isZone, wallAt } from './zone-time.ts';

export interface MaintenanceWindow {
  /** On which it opens. */
  readonly days: readonly Weekday[];
  /** `HH:MM`. */
  readonly start: string;
  /** `HH:MM`; not after `start`: on the next day. */
  readonly end: string;
  /** A zone of the IANA database. */
  readonly zone: string;
}

/** One time that a window is open: from an instant up to, and without, another. Empty when its hours are left out. */
interface Opening {
  readonly opensMs: number;
  readonly closesMs: number;
}

/** One more than midnight asks for: clocks that are set back at 00:01 show the day before again. */
const DAYS_BACK = 2;
const DAYS_AHEAD = 1;

/** A window may be open for six days on end; one of one day may be left out in one week. */
const CHANGE_DAYS_AHEAD = 16;

const sinceMidnightMs = (time: string): number => {
  const [hours, minutes] = time.split(':').map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000;
};

/** Day 0, 1 January 1970, was a Thursday. */
const weekdayOf = (day: number): Weekday | undefined => WEEKDAYS[(((day + 3) % 7) + 7) % 7];

function openingOn({ start, end, zone }: MaintenanceWindow, day: number): Opening {
  const [startMs, endMs] = [sinceMidnightMs(start), sinceMidnightMs(end)];
  const closingDay = endMs > startMs ? day : day + 1;
  return {
    opensMs: instantsOf(zone, day * DAY_MS + startMs).firstMs,
    closesMs: instantsOf(zone, closingDay * DAY_MS + endMs).lastMs,
  };
}

/** Those of the days around an instant, in the order in which they open, and close. */
function* openingsAround(window: MaintenanceWindow, nowMs: number, daysAhead: number): Generator<Opening> {
  const today = Math.floor(wallAt(window.zone, nowMs) / DAY_MS);
  for (let day = today - DAYS_BACK; day <= today + daysAhead; day++) {
    const weekday = weekdayOf(day);
    if (weekday && window.days.includes(weekday)) yield openingOn(window, day);
  }
}

export function isOpen(window: MaintenanceWindow, nowMs: number): boolean {
  for (const { opensMs, closesMs } of openingsAround(window, nowMs, DAYS_AHEAD)) {
    if (opensMs <= nowMs && nowMs < closesMs) return true;
  }
  return false;
}

/** The next instant at which a window opens or closes; null for one that is always open. */
export function nextChange(window: MaintenanceWindow, nowMs: number): number | null {
  let closesMs: number | null = null;
  for (const opening of openingsAround(window, nowMs, CHANGE_DAYS_AHEAD)) {
    const reachedMs = closesMs ?? nowMs;
    if (opening.closesMs <= Math.max(reachedMs, opening.opensMs)) continue;
    if (opening.opensMs > reachedMs) return closesMs ?? opening.opensMs;
    closesMs = opening.closesMs;
  }
  return null;
}

/** What is wrong with a window of the right shape; it is about the zone. */
export const windowProblem = ({ zone }: MaintenanceWindow): string | undefined =>
  isZone(zone) ? undefined : 'must be an IANA time zone, such as Europe/Berlin';
