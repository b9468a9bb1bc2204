const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

// The service has the next two in domain/timestamp.ts, which clients do not know.

/** Times of the service are UTC without saying so. */
export const timeOf = (timestamp: string): number => Date.parse(`${timestamp}Z`);

/** A time as the service writes it. */
export const wireTime = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, -1)}000`;

/** A length of time in at most two units: `45s`, `3m 20s`, `2h 5m`, `4d 3h`. */
export function duration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < MINUTE_S) return `${s}s`;
  if (s < HOUR_S) return `${Math.floor(s / MINUTE_S)}m ${s % MINUTE_S}s`;
  if (s < DAY_S) return `${Math.floor(s / HOUR_S)}h ${Math.floor((s % HOUR_S) / MINUTE_S)}m`;
  return `${Math.floor(s / DAY_S)}d ${Math.floor((s % DAY_S) / HOUR_S)}h`;
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** A time of the service in the local time zone: `12:03` if that is today, otherwise `2026-11-15 12:03`. */
export function localTime(timestamp: string, nowMs: number): string {
  const at = new Date(timeOf(timestamp));
  const clock = `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`;
  if (at.toDateString() === new Date(nowMs).toDateString()) return clock;
  return `${at.getFullYear()}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())} ${clock}`;
}
