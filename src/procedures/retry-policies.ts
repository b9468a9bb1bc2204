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

/**
 * For a phase of an operation, with the timeout of its policy. Polls often, so that Hostler adds little
 * delay.
 */
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

/** For container managers and networks, which can be unavailable for any length of time. */
export const MANAGER_RETRY_POLICY: RetryPolicy = {
  initialBackoffMs: 2 * S,
  maxBackoffMs: MAX_BACKOFF_MS,
  timeoutMs: null,
};

/** After this time without contact, a host that has left its cluster is not cleaned up any more. */
export const FORMER_HOST_TIMEOUT_MS = HOUR;

/**
 * For steps on a host that has left its cluster. They end with a fallback after `FORMER_HOST_TIMEOUT_MS`, so
 * that the steps after them can run.
 */
export const FORMER_HOST_RETRY_POLICY: RetryPolicy = { ...MANAGER_RETRY_POLICY, maxBackoffMs: MIN };

/** For the former container manager or network of a host, which may be gone permanently. */
export const FORMER_MANAGER_RETRY_POLICY: RetryPolicy = { ...MANAGER_RETRY_POLICY, timeoutMs: 24 * HOUR };

export const QUERY_TIMEOUT_MS = 30_000;
/** Allows for a slow mirror and a busy disk. */
export const INSTALL_TIMEOUT_MS = 600_000;
