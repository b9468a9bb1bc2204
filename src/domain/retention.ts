const SELDOM_MS = 6 * 3_600_000;
const OFTEN_MS = 1000;
/** What is kept for less than two days would else be kept for much longer than was asked for. */
const SHARE = 1 / 8;

/** How often what is too old is looked for, where it is kept for so long. */
export const sweepEveryMs = (keepMs: number): number =>
  Math.min(SELDOM_MS, Math.max(OFTEN_MS, keepMs * SHARE));
