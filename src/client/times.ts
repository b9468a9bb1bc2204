const MINUTE_S = 60;
const HOUR_S = 3600;
const DAY_S = 86_400;

// The server has `timeOf`, `wireTime` and `utcTime` in domain/timestamp.ts, which clients do not import.

/** Times of the service are UTC without saying so. */
export const timeOf = (timestamp: string): number => Date.parse(`${timestamp}Z`);

/** A time as the service writes it. */
export const wireTime = (epochMs: number): string => `${new Date(epochMs).toISOString().slice(0, -1)}000`;

const inUnits = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit} ${small}${smallUnit}`;

/** A duration in at most two units: `45s`, `10m`, `3m 20s`, `2h 5m`, `4d 3h`. */
export function duration(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  if (s < MINUTE_S) return `${s}s`;
  if (s < HOUR_S) return inUnits(Math.floor(s / MINUTE_S), 'm', s % MINUTE_S, 's');
  if (s < DAY_S) return inUnits(Math.floor(s / HOUR_S), 'h', Math.floor((s % HOUR_S) / MINUTE_S), 'm');
  return inUnits(Math.floor(s / DAY_S), 'd', Math.floor((s % DAY_S) / HOUR_S), 'h');
}

const LENGTH_TO_SECONDS = '2026-11-15T12:00:00'.length;

/** A time of the server for people: `2026-11-15 12:00:00 UTC`. Empty if there is none. Messages of the server have the same format. */
export const utcTime = (timestamp: string | null): string =>
  timestamp ? `${timestamp.slice(0, LENGTH_TO_SECONDS).replace('T', ' ')} UTC` : '';
