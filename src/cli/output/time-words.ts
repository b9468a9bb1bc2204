import { duration, timeOf } from '../../client/times.ts';

/** The time since a timestamp; empty if there is none. */
export const ago = (timestamp: string | null, nowMs: number): string =>
  timestamp ? `${duration(nowMs - timeOf(timestamp))} ago` : '';
