import { duration, timeOf } from '../../client/times.ts';

/** How long ago that was; empty where there is no time. */
export const ago = (timestamp: string | null, nowMs: number): string =>
  timestamp ? `${duration(nowMs - timeOf(timestamp))} ago` : '';

const LENGTH_TO_SECONDS = '2026-11-15T12:00:00'.length;

/** A time of the service in a sentence or as a field; empty where there is no time. */
export const instant = (timestamp: string | null): string =>
  timestamp ? `${timestamp.slice(0, LENGTH_TO_SECONDS).replace('T', ' ')} UTC` : '';

/** A time of the service at the beginning of a line of a log, where all are of the same length, and programs may read them. */
export const stamp = (timestamp: string): string => `${timestamp.slice(0, LENGTH_TO_SECONDS)}Z`;
