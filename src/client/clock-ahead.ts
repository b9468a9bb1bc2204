/** `Date` has whole seconds, and the answer has taken a while: less than this is no difference. */
const SAME_TIME_MS = 3000;

/** How far the clock of the service is ahead of the one here, by the `Date` of an answer. */
export function clockAheadMs(date: string | null, nowMs: number): number {
  const ahead = date === null ? 0 : Date.parse(date) - nowMs;
  return Math.abs(ahead) > SAME_TIME_MS ? ahead : 0;
}
