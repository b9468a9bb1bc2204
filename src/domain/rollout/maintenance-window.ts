// `wallMs` is a wall-clock time in milliseconds since 1970, as if the zone were UTC; other times are instants.

import { DAY_MS } from '../../lib/time/clock.ts';
import type { Weekday } from '../vocabulary.ts';
import { WEEKDAYS } from '../vocabulary.ts';

const MINUTE_MS = 60_000;

/** Per zone. A window needs a few weeks. */
const MAX_DAYS_KEPT = 400;

/** Of one UTC day, which has at most one transition (Infinity: none). */
interface DayOffsets {
  readonly beforeMs: number;
  readonly transitionAtMs: number;
  readonly afterMs: number;
}

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** By days since 1970. `Intl` takes microseconds per call, so the offsets are cached per day. */
  readonly days: Map<number, DayOffsets>;
}

const zones = new Map<string, Zone>();

/** The lower-case key limits the cache to the zones of the IANA database. */
function loadZone(name: string): Zone {
  const key = name.toLowerCase();
  const known = zones.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const zone = { format, days: new Map<number, DayOffsets>() };
  zones.set(key, zone);
  return zone;
}

/** `Intl` also accepts offsets such as `+01:00`, which are not allowed. */
function isIanaZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    loadZone(name);
    return true;
  } catch {
    return false;
  }
}

/** `GMT` alone is UTC. Seconds occur before 1973. */
const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

function readOffsetMs({ format }: Zone, ms: number): number {
  const text = format.format(ms);
  const found = OFFSET.exec(text);
  if (found === null) throw new Error(`no offset from UTC in "${text}"`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = found;
  const size = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

/** Binary search. Since 1973 all clock changes are at a whole minute. */
function firstMinute(fromMs: number, toMs: number, predicate: (ms: number) => boolean): number {
  let [early, late] = [fromMs, toMs];
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    if (predicate(middle)) late = middle;
    else early = middle;
  }
  return late;
}

/** Since 1973 no zone has changed its clocks twice within six days. */
function computeDayOffsets(zone: Zone, fromMs: number): DayOffsets {
  const [beforeMs, afterMs] = [readOffsetMs(zone, fromMs), readOffsetMs(zone, fromMs + DAY_MS)];
  const hasChanged = (ms: number) => readOffsetMs(zone, ms) !== beforeMs;
  const transitionAtMs =
    beforeMs === afterMs ? Number.POSITIVE_INFINITY : firstMinute(fromMs, fromMs + DAY_MS, hasChanged);
  return { beforeMs, transitionAtMs, afterMs };
}

function dayOffsetsAt(zone: Zone, ms: number): DayOffsets {
  const number = Math.floor(ms / DAY_MS);
  const known = zone.days.get(number);
  if (known) return known;
  if (zone.days.size >= MAX_DAYS_KEPT) zone.days.clear();
  const day = computeDayOffsets(zone, number * DAY_MS);
  zone.days.set(number, day);
  return day;
}

function offsetAt(zone: Zone, ms: number): number {
  const { beforeMs, transitionAtMs, afterMs } = dayOffsetsAt(zone, ms);
  return ms < transitionAtMs ? beforeMs : afterMs;
}

export const toWallTime = (zone: string, ms: number): number => ms + offsetAt(loadZone(zone), ms);

/** The instants differ if clocks go back. A time that is skipped maps to the instant at which clocks go forward. */
export function wallTimeToInstants(
  name: string,
  wallMs: number,
): { readonly firstMs: number; readonly lastMs: number } {
  const zone = loadZone(name);
  // No zone is a whole day away from UTC, so the wall-clock time occurs between these two.
  const [before, after] = [offsetAt(zone, wallMs - DAY_MS), offsetAt(zone, wallMs + DAY_MS)];
  if (before === after) return { firstMs: wallMs - before, lastMs: wallMs - before };
  const shown = [wallMs - before, wallMs - after].filter(ms => ms + offsetAt(zone, ms) === wallMs);
  if (shown.length > 0) return { firstMs: Math.min(...shown), lastMs: Math.max(...shown) };
  const transitionAtMs = firstMinute(wallMs - after, wallMs - before, ms => offsetAt(zone, ms) !== before);
  return { firstMs: transitionAtMs, lastMs: transitionAtMs };
}

// Times are wall-clock times, so a window keeps its hours in summer and winter. If a clock change skips the start or
// end, the window opens or closes at the change; if a time occurs twice, it opens at the first and closes at the last.

export interface MaintenanceWindow {
  readonly days: readonly Weekday[];
  /** `HH:MM`. */
  readonly start: string;
  /** `HH:MM`. On the next day, unless it is after `start`. */
  readonly end: string;
  readonly zone: string;
}

/** Half-open: `opensMs` is included, `closesMs` is not. Empty if a clock change skips the whole period. */
interface WindowPeriod {
  readonly opensMs: number;
  readonly closesMs: number;
}

/** One day more than midnight requires: when clocks go back at 00:01, the previous day occurs again. */
const DAYS_BACK = 2;
const DAYS_AHEAD = 1;

/** A window can be open for six days in a row, and a clock change can skip the only period of a week. */
const CHANGE_DAYS_AHEAD = 16;

const sinceMidnightMs = (time: string): number => {
  const [hours, minutes] = time.split(':').map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000;
};

/** Day 0, 1 January 1970, was a Thursday. */
const weekdayOf = (day: number): Weekday | undefined => WEEKDAYS[(((day + 3) % 7) + 7) % 7];

function periodOn({ start, end, zone }: MaintenanceWindow, day: number): WindowPeriod {
  const [startMs, endMs] = [sinceMidnightMs(start), sinceMidnightMs(end)];
  const closingDay = endMs > startMs ? day : day + 1;
  return {
    opensMs: wallTimeToInstants(zone, day * DAY_MS + startMs).firstMs,
    closesMs: wallTimeToInstants(zone, closingDay * DAY_MS + endMs).lastMs,
  };
}

function* periodsAround(window: MaintenanceWindow, nowMs: number, daysAhead: number): Generator<WindowPeriod> {
  const today = Math.floor(toWallTime(window.zone, nowMs) / DAY_MS);
  for (let day = today - DAYS_BACK; day <= today + daysAhead; day++) {
    const weekday = weekdayOf(day);
    if (weekday && window.days.includes(weekday)) yield periodOn(window, day);
  }
}

export function isWindowOpen(window: MaintenanceWindow, nowMs: number): boolean {
  for (const { opensMs, closesMs } of periodsAround(window, nowMs, DAYS_AHEAD)) {
    if (opensMs <= nowMs && nowMs < closesMs) return true;
  }
  return false;
}

/** null: the window is always open, or never. */
export function nextWindowChange(window: MaintenanceWindow, nowMs: number): number | null {
  let closesMs: number | null = null;
  for (const period of periodsAround(window, nowMs, CHANGE_DAYS_AHEAD)) {
    const reachedMs = closesMs ?? nowMs;
    if (period.closesMs <= Math.max(reachedMs, period.opensMs)) continue;
    if (period.opensMs > reachedMs) return closesMs ?? period.opensMs;
    closesMs = period.closesMs;
  }
  return null;
}

export const validateWindow = ({ zone }: MaintenanceWindow): string | undefined =>
  isIanaZone(zone) ? undefined : 'must be an IANA time zone, such as Europe/Berlin';
