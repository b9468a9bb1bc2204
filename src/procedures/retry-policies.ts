import type { RetryPolicy } from '../domain/tasks/retry-policy.ts';
import { MAX_BACKOFF_MS } from '../domain/tasks/retry-policy.ts';

const S = 1000;
const MIN = 60 * S;
const HOUR = 60 * MIN;

/** For a host: what fails for so long will not pass by itself. */
export const hostRetryPolicy = (timeoutMs: number): RetryPolicy => ({
  initialBackoffMs: 2 * S,
  maxBackoffMs: MIN,
  timeoutMs,
});

/** For a phase of an operation: looked at often enough that nobody waits for us, for as long as its policy says. */
export const phaseRetryPolicy = (timeoutS: number): RetryPolicy => ({
  initialBackoffMs: S,
  maxBackoffMs: 10 * S,
  timeoutMs: timeoutS * S,
});

/** For a host that goes down and comes up again. */
export const bootRetryPolicy = (timeoutS: number): RetryPolicy => ({
  initialBackoffMs: S / 2,
  maxBackoffMs: 2 * S,
  timeoutMs: timeoutS * S,
});

/** For the servers of a container manager or a network: they may be away for as long as they like. */
export const MANAGER_RETRY_POLICY: RetryPolicy = {
  initialBackoffMs: 2 * S,
  maxBackoffMs: MAX_BACKOFF_MS,
  timeoutMs: null,
};

/** A host that has left, and was not reached for so long, is left as it is. */
export const FORMER_HOST_TIMEOUT_MS = HOUR;

/** For a host that has left: its steps end by themselves after as long as that, since what comes behind them is still to be done. */
export const FORMER_HOST_RETRY_POLICY: RetryPolicy = { ...MANAGER_RETRY_POLICY, maxBackoffMs: MIN };

/** For those that a host has left: perhaps they are gone for good. */
export const FORMER_MANAGER_RETRY_POLICY: RetryPolicy = { ...MANAGER_RETRY_POLICY, timeoutMs: 24 * HOUR };

/** For what a host can answer from what it has at hand. */
export const QUERY_TIMEOUT_MS = 30_000;
/** For a slow mirror and a busy disk. */
export const INSTALL_TIMEOUT_MS = 600_000;
