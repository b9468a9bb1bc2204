import { formatDuration } from '#sdk/format.ts';

// How times are written: in the viewer's own language and time zone, which is named.

const format = (options: Intl.DateTimeFormatOptions) => {
  const own = new Intl.DateTimeFormat(undefined, options);
  return (ms: number): string => own.format(ms);
};

const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const SECOND = { hour: 'numeric', minute: '2-digit', second: '2-digit' } as const;
const ZONE = { timeZoneName: 'short' } as const;

export const fullTime = format({ ...DAY, ...SECOND, ...ZONE });

/** Only the time of the day, to the second. */
export const clockTime = format({ ...SECOND, ...ZONE });

// For axes, which name the zone once.

export const secondTime = format(SECOND);

/** To the minute. */
export const minuteTime = format({ hour: '2-digit', minute: '2-digit' });

/** To the hour, with the day. */
export const hourOfDay = format({ month: 'short', day: 'numeric', hour: '2-digit' });

const zoned = new Intl.DateTimeFormat(undefined, ZONE);

/** `UTC`, `GMT+1`: the zone of all of the above at this time. */
export const zoneName = (ms: number): string =>
  zoned.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';

const SECONDS_UP_TO_MS = 60_000;
/** Clocks that differ by less are taken for the same (`clock-ahead.ts`): what is so little ahead has just happened. */
const JUST_NOW_MS = 3000;

const largestUnit = (ms: number) => formatDuration(ms).split(' ')[0];

/** How long something is ago, or how long until it comes. In a minute or more nobody counts seconds. */
export function formatRelative(elapsedMs: number): string {
  if (elapsedMs < -JUST_NOW_MS) return `in ${largestUnit(-elapsedMs)}`;
  return `${elapsedMs > SECONDS_UP_TO_MS ? largestUnit(elapsedMs) : formatDuration(elapsedMs)} ago`;
}
