// How far a webhook has come, after each thing that can happen to it. What must hold: the position goes back
// only where the log itself was replaced by an older one.

import type { LogState } from '../events/event-log.ts';
import { formatTimestamp } from '../timestamp.ts';
import type { WebhookProgress } from './webhook.ts';

const INITIAL_BACKOFF_MS = 1000;
export const MAX_WEBHOOK_BACKOFF_MS = 15 * 60_000;
/** More doublings than it takes to get to the longest. */
const MAX_DOUBLINGS = 20;

export interface FailedAttempt {
  readonly problem: string;
  /** What the receiver asks for. */
  readonly retryAfterMs?: number | undefined;
  /** By the store's clock. */
  readonly nowMs: number;
  /** From 0 to 1: hooks that failed together are not tried again together. */
  readonly jitter: number;
  /** For how long it may fail until it is disabled. */
  readonly timeoutMs: number;
}

/** Between one attempt and the next: twice as long each time, or what the receiver asks for if that is longer. */
export function webhookBackoffMs(attempts: number, jitter: number, retryAfterMs = 0): number {
  const backoffMs = INITIAL_BACKOFF_MS * 2 ** Math.min(attempts - 1, MAX_DOUBLINGS) * (1 - jitter / 4);
  return Math.min(Math.max(backoffMs, retryAfterMs), MAX_WEBHOOK_BACKOFF_MS);
}

export const afterDelivery = (progress: WebhookProgress, id: number, at: string): WebhookProgress => ({
  ...progress,
  ...{ position: id, attempts: 0, dueAtMs: 0, failingSinceMs: null, deliveredId: id, deliveredAt: at },
});

/** Events up to this one were not wanted. */
export const afterSkipping = (progress: WebhookProgress, id: number): WebhookProgress => ({
  ...progress,
  position: Math.max(progress.position, id),
});

/** It is tried again later, the last time when its time is over; after that it is disabled. */
export function afterFailure(progress: WebhookProgress, failed: FailedAttempt): WebhookProgress {
  const { problem, nowMs, timeoutMs, jitter, retryAfterMs } = failed;
  const attempts = progress.attempts + 1;
  // If the clock was set back it began in the future.
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

/** The events after its position are not kept, or it is not of this log: it goes on with the first that is kept. */
export function afterLogGap(
  progress: WebhookProgress,
  { firstReadableId, lastId }: Pick<LogState, 'firstReadableId' | 'lastId'>,
): WebhookProgress {
  const position = Math.min(firstReadableId - 1, lastId);
  return {
    ...progress,
    ...{ position, attempts: 0, dueAtMs: 0, failingSinceMs: null },
    problem: `events after ${progress.position} were pruned; continued after ${position}`,
  };
}
