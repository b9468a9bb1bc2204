// The clocks on the wall of a place: how far from UTC they are, and when they show a time. Such a time is written as milliseconds
// since 1970 by these clocks (`wallMs`); an instant is milliseconds since 1970 in UTC.

import { DAY_MS } from '../../lib/time/day.ts';

const MINUTE_MS = 60_000;

/** Of a zone, so that a forgotten one is small; a window asks for a few weeks. */
const MAX_DAYS_KEPT = 400;

/** One in UTC. What the clocks are ahead of it, and when they are set: never, when they are not. */
interface Day {
  readonly beforeMs: number;
  readonly setAtMs: number;
  readonly afterMs: number;
}

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** `Intl` takes microseconds for each answer, so it is asked once for a day. By days since 1970. */
  readonly days: Map<number, Day>;
}

const zones = new Map<string, Zone>();

/** Names are the same in small letters and in capitals: kept once, there are no more than the database has. */
function zoneOf(name: string): Zone {
  const key = name.toLowerCase();
  const known = zones.get(key);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const zone = { format, days: new Map<number, Day>() };
  zones.set(key, zone);
  return zone;
}

/** Whether the IANA database has a zone of this name. `Intl` also takes bare offsets such as `+01:00`. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    zoneOf(name);
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

/** When something that does not hold at first begins to hold. Since 1973 clocks are set at a whole minute everywhere. */
function firstMinute(fromMs: number, toMs: number, holds: (ms: number) => boolean): number {
  let [early, late] = [fromMs, toMs];
  while (late - early > MINUTE_MS) {
    const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
    if (holds(middle)) late = middle;
    else early = middle;
  }
  return late;
}

/** Since 1973 no zone has set its clocks twice within six days. */
function readDay(zone: Zone, fromMs: number): Day {
  const [beforeMs, afterMs] = [readOffsetMs(zone, fromMs), readOffsetMs(zone, fromMs + DAY_MS)];
  const isSet = (ms: number) => readOffsetMs(zone, ms) !== beforeMs;
  const setAtMs =
    beforeMs === afterMs ? Number.POSITIVE_INFINITY : firstMinute(fromMs, fromMs + DAY_MS, isSet);
  return { beforeMs, setAtMs, afterMs };
}

function dayOf(zone: Zone, ms: number): Day {
  const number = Math.floor(ms / DAY_MS);
  const known = zone.days.get(number);
  if (known) return known;
  if (zone.days.size >= MAX_DAYS_KEPT) zone.days.clear();
  const day = readDay(zone, number * DAY_MS);
  zone.days.set(number, day);
  return day;
}

function offsetAt(zone: Zone, ms: number): number {
  const { beforeMs, setAtMs, afterMs } = dayOf(zone, ms);
  return ms < setAtMs ? beforeMs : afterMs;
}

/** What the clocks show at an instant. */
export const wallAt = (zone: string, ms: number): number => ms + offsetAt(zoneOf(zone), ms);

/**
 * The first and the last instant at which the clocks show a time. They differ where clocks are set back. Where a time is left out,
 * both are the instant at which the clocks are set forward.
 */
export function instantsOf(
  name: string,
  wallMs: number,
): { readonly firstMs: number; readonly lastMs: number } {
  const zone = zoneOf(name);
  // No zone is a whole day away from UTC, so the clocks show the time between these two.
  const [before, after] = [offsetAt(zone, wallMs - DAY_MS), offsetAt(zone, wallMs + DAY_MS)];
  if (before === after) return { firstMs: wallMs - before, lastMs: wallMs - before };
  const shown = [wallMs - before, wallMs - after].filter(ms => ms + offsetAt(zone, ms) === wallMs);
  if (shown.length > 0) return { firstMs: Math.min(...shown), lastMs: Math.max(...shown) };
  const setAtMs = firstMinute(wallMs - after, wallMs - before, ms => offsetAt(zone, ms) !== before);
  return { firstMs: setAtMs, lastMs: setAtMs };
}
