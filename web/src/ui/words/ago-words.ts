import { duration } from '#client/times.ts';

const SHORT_MS = 60_000;
/** Clocks that differ by less are taken for the same (`clock-ahead.ts`): what is so little ahead has just happened. */
const JUST_NOW_MS = 3000;

const largest = (ms: number) => duration(ms).split(' ')[0];

/** How long something is ago, or how long until it comes. In a minute or more nobody counts seconds. */
export function agoWords(passedMs: number): string {
  if (passedMs < -JUST_NOW_MS) return `in ${largest(-passedMs)}`;
  return `${passedMs > SHORT_MS ? largest(passedMs) : duration(passedMs)} ago`;
}
