import type { RetryPolicy } from '../domain/tasks/retry-policy.ts';
import { MAX_BACKOFF_MS } from '../domain/tasks/retry-policy.ts';

const S = 1000;
const MIN = 60 * S;
const HOUR = 60 * MIN;

export const hostRetryPolicy = (timeoutMs: number): RetryPolicy => ({
  initialBackoffMs: 2 * S,
  maxBackoffMs: MIN,
  timeoutMs,
});

/** Polls often, so that Hostler adds little delay. */
export const phaseRetryPolicy = (timeoutS: number): RetryPolicy => ({
  initialBackoffMs: S,
  maxBackoffMs: 10 * S,
  timeoutMs: timeoutS * S,
});

export const bootRetryPolicy = (timeoutS: number): RetryPolicy => ({
  initialBackoffMs: S / 2,
  maxBackoffMs: 2 * S,
  timeoutMs: timeoutS * S,
});

/** A container manager or network can be unavailable for any length of time. */
export const managerRetryPolicy = (): RetryPolicy => ({
  initialBackoffMs: 2 * S,
  maxBackoffMs: MAX_BACKOFF_MS,
  timeoutMs: null,
});

export const formerHostRetryPolicy = (): RetryPolicy => hostRetryPolicy(HOUR);

/** A former container manager or network may be gone permanently. */
export const formerManagerRetryPolicy = (): RetryPolicy => ({ ...managerRetryPolicy(), timeoutMs: 24 * HOUR });

export const QUERY_TIMEOUT_MS = 30_000;
/** Allows for a slow mirror and a busy disk. */
export const INSTALL_TIMEOUT_MS = 600_000;
