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
