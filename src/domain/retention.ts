const MAX_INTERVAL_MS = 6 * 3_600_000;
const MIN_INTERVAL_MS = 1000;
/** What is kept for less than two days would else be kept for much longer than was asked for. */
const RETENTION_FRACTION = 1 / 8;

/** How often what is too old is looked for, where it is kept for so long. */
export const pruneIntervalMs = (retentionMs: number): number =>
  Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, retentionMs * RETENTION_FRACTION));
