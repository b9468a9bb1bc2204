// How recent the last answer of a member must be when a host is taken out of service.

/** A cluster with more members is not checked as often. */
export const LARGE_CLUSTER = 200;
const SMALL_CLUSTER_MS = 15_000;
const LARGE_CLUSTER_MS = 60_000;

/** `members` may be cut off above `LARGE_CLUSTER`. */
export const freshnessMs = (members: number, checkIntervalMs: number): number =>
  members > LARGE_CLUSTER ? Math.min(checkIntervalMs, LARGE_CLUSTER_MS) : SMALL_CLUSTER_MS;

/** Members are checked again at this part of the window, so that all of them can be fresh at the same time. */
export const CHECK_AT = 2 / 3;

/** A reboot is sent at most this long after the answers it relies on have left the window. */
export const CLEARANCE_MS = 3000;
/** Without other members nothing goes out of date, but a reboot is not sent much later than it was allowed. */
const MAX_CLEARANCE_MS = 15_000;

export const clearedUntil = (nowMs: number, freshUntilMs: number): number =>
  Math.min(freshUntilMs, nowMs + MAX_CLEARANCE_MS);

/** A permission that ends later than any was given comes from a time before the clock was set back. */
export const isCleared = (untilMs: number | null, nowMs: number): boolean =>
  untilMs !== null && untilMs > nowMs && untilMs <= nowMs + MAX_CLEARANCE_MS;

/** The same goes for answers from the future. */
export const isFresh = (answeredAtMs: number, nowMs: number, windowMs: number): boolean =>
  answeredAtMs >= nowMs - windowMs && answeredAtMs <= nowMs;
