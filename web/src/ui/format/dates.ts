import { formatDuration } from '#sdk/format.ts';

// Formats times in the language and time zone of the browser, with the name of the zone.

const format = (options: Intl.DateTimeFormatOptions) => {
  const formatter = new Intl.DateTimeFormat(undefined, options);
  return (ms: number): string => formatter.format(ms);
};

const DAY = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const SECOND = { hour: 'numeric', minute: '2-digit', second: '2-digit' } as const;
const ZONE = { timeZoneName: 'short' } as const;

export const fullTime = format({ ...DAY, ...SECOND, ...ZONE });

export const clockTime = format({ ...SECOND, ...ZONE });

/** For narrow screens. */
export const shortTime = format({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });

// For axes, which show the zone once.

export const secondTime = format(SECOND);

export const minuteTime = format({ hour: '2-digit', minute: '2-digit' });

export const hourOfDay = format({ month: 'short', day: 'numeric', hour: '2-digit' });

const zoned = new Intl.DateTimeFormat(undefined, ZONE);

/** `UTC`, `GMT+1`: the zone of all formats above. */
export const zoneName = (ms: number): string =>
  zoned.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';

const MAX_SECONDS_MS = 60_000;
/**
 * The server clock is only known to this precision (`getClockOffsetMs`), so a time that is slightly ahead counts as
 * now.
 */
const JUST_NOW_MS = 3000;

const largestUnit = (ms: number) => formatDuration(ms).split(' ')[0];

/** Seconds are shown only below one minute. */
export function formatRelative(elapsedMs: number): string {
  if (elapsedMs < -JUST_NOW_MS) return `in ${largestUnit(-elapsedMs)}`;
  return `${elapsedMs > MAX_SECONDS_MS ? largestUnit(elapsedMs) : formatDuration(elapsedMs)} ago`;
}
