/** No pause is longer, unless hosts are checked even less often. */
export const MAX_BACKOFF_MS = 300_000;

/** How long something that does not succeed is tried again. */
export interface RetryPolicy {
  readonly initialBackoffMs: number;
  /** Pauses double up to this. */
  readonly maxBackoffMs: number;
  /** Of trying and pausing; time in which nobody tried does not count. null: never. */
  readonly timeoutMs: number | null;
}

/** How long to wait before the next try. `chance`, from 0 to 1, keeps many that failed together from coming back together. */
export const backoffMs = (
  { initialBackoffMs, maxBackoffMs }: RetryPolicy,
  attempts: number,
  jitter: number,
): number => Math.min(maxBackoffMs, initialBackoffMs * 2 ** Math.max(0, attempts - 1)) * (0.5 + jitter / 2);

export const isRetryExhausted = ({ timeoutMs }: RetryPolicy, retryTimeMs: number): boolean =>
  timeoutMs !== null && retryTimeMs >= timeoutMs;
