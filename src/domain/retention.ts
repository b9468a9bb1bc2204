const MAX_INTERVAL_MS = 6 * 3_600_000;
const MIN_INTERVAL_MS = 1000;
/** Limits how much longer than the retention an entry can exist, which matters for retentions below two days. */
const RETENTION_FRACTION = 1 / 8;

export const pruneIntervalMs = (retentionMs: number): number =>
  Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, retentionMs * RETENTION_FRACTION));
