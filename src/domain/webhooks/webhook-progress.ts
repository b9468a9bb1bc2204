// Invariant: the position moves back only if the log was replaced by an older one.

import { exponentialBackoffMs } from '../../lib/time/backoff.ts';
import type { LogState } from '../events/event-log.ts';
import { formatTimestamp } from '../timestamp.ts';
import type { WebhookProgress } from './webhook.ts';

const INITIAL_BACKOFF_MS = 1000;
export const MAX_WEBHOOK_BACKOFF_MS = 15 * 60_000;

export interface FailedAttempt {
  readonly problem: string;
  readonly retryAfterMs?: number | undefined;
  /** By the clock of the store. */
  readonly nowMs: number;
  /** From 0 to 1. */
  readonly jitter: number;
  /** The webhook is disabled after it has failed for this long. */
  readonly timeoutMs: number;
}

/** A longer `Retry-After` wins. */
export function webhookBackoffMs(attempts: number, jitter: number, retryAfterMs = 0): number {
  const backoffMs = exponentialBackoffMs(INITIAL_BACKOFF_MS, attempts) * (1 - jitter / 4);
  return Math.min(Math.max(backoffMs, retryAfterMs), MAX_WEBHOOK_BACKOFF_MS);
}

export const afterDelivery = (progress: WebhookProgress, id: number, at: string): WebhookProgress => ({
  ...progress,
  position: id,
  attempts: 0,
  dueAtMs: 0,
  failingSinceMs: null,
  deliveredId: id,
  deliveredAt: at,
});

/** Events up to this ID did not match the filter. */
export const afterSkipping = (progress: WebhookProgress, id: number): WebhookProgress => ({
  ...progress,
  position: Math.max(progress.position, id),
});

/** The last retry is at the end of the timeout. */
export function afterFailure(progress: WebhookProgress, failed: FailedAttempt): WebhookProgress {
  const { problem, nowMs, timeoutMs, jitter, retryAfterMs } = failed;
  const attempts = progress.attempts + 1;
  // After the clock was set back, the start can be in the future.
  const failingSinceMs = Math.min(progress.failingSinceMs ?? nowMs, nowMs);
  const remainingMs = failingSinceMs + timeoutMs - nowMs;
  const common = { ...progress, attempts, failingSinceMs, problem };
  if (remainingMs <= 0) return { ...common, dueAtMs: 0, disabledAt: formatTimestamp(nowMs) };
  const backoffMs = Math.min(
    webhookBackoffMs(attempts, jitter, retryAfterMs),
    Math.max(remainingMs, INITIAL_BACKOFF_MS),
  );
  return { ...common, dueAtMs: nowMs + Math.ceil(backoffMs) };
}

/** The events after the position were pruned, or the position belongs to another log. */
export function afterLogGap(
  progress: WebhookProgress,
  { firstReadableId, lastId }: Pick<LogState, 'firstReadableId' | 'lastId'>,
): WebhookProgress {
  const position = Math.min(firstReadableId - 1, lastId);
  return {
    ...progress,
    position,
    attempts: 0,
    dueAtMs: 0,
    failingSinceMs: null,
    problem: `events after ${progress.position} were pruned; continued after ${position}`,
  };
}
