import { exponentialBackoffMs } from '../../lib/time/backoff.ts';

/** Unless the interval of health checks is longer. */
export const MAX_BACKOFF_MS = 300_000;

export interface RetryPolicy {
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  /** Time spent in attempts and backoffs; time without a server does not count. null: no timeout. */
  readonly timeoutMs: number | null;
}

/** `jitter`, from 0 to 1, spreads retries of attempts that failed together. */
export const backoffMs = ({ initialBackoffMs, maxBackoffMs }: RetryPolicy, attempts: number, jitter: number): number =>
  exponentialBackoffMs(initialBackoffMs, attempts, maxBackoffMs) * (0.5 + jitter / 2);

export const isRetryExhausted = ({ timeoutMs }: RetryPolicy, retryTimeMs: number): boolean =>
  timeoutMs !== null && retryTimeMs >= timeoutMs;
