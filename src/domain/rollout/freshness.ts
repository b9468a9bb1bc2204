// How recent the last response of each member must be when a host is taken out of service.

/** Clusters with more members are checked less often. */
export const LARGE_CLUSTER = 200;
const SMALL_CLUSTER_MS = 15_000;
const LARGE_CLUSTER_MS = 60_000;

/** `members` may be capped above `LARGE_CLUSTER`. */
export const freshnessMs = (members: number, checkIntervalMs: number): number =>
  members > LARGE_CLUSTER ? Math.min(checkIntervalMs, LARGE_CLUSTER_MS) : SMALL_CLUSTER_MS;

/** Members are checked again before their responses become stale, so that all can be fresh at the same time. */
export const REFRESH_FRACTION = 2 / 3;

/** A reboot may be sent at most this long after the responses it relies on became stale. */
export const CLEARANCE_MS = 3000;
/** For a cluster without other members, where no response becomes stale. */
const MAX_CLEARANCE_MS = 15_000;

export const clearedUntil = (nowMs: number, freshUntilMs: number): number =>
  Math.min(freshUntilMs, nowMs + MAX_CLEARANCE_MS);

/** A clearance that ends later was given before the clock was set back. */
export const isCleared = (untilMs: number | null, nowMs: number): boolean =>
  untilMs !== null && untilMs > nowMs && untilMs <= nowMs + MAX_CLEARANCE_MS;

/** A response from the future dates from before the clock was set back. */
export const isFresh = (respondedAtMs: number, nowMs: number, windowMs: number): boolean =>
  respondedAtMs >= nowMs - windowMs && respondedAtMs <= nowMs;
