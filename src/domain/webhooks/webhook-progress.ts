// How far a webhook has come, after each thing that can happen to it. What must hold: the position goes back
// only where the log itself was replaced by an older one.

import type { LogState } from '../events/event-log.ts';
import { formatTimestamp } from '../timestamp.ts';
import type { WebhookProgress } from './webhook.ts';

const FIRST_PAUSE_MS = 1000;
export const LONGEST_WEBHOOK_PAUSE_MS = 15 * 60_000;
/** More doublings than it takes to get to the longest. */
const MOST_DOUBLINGS = 20;

export interface FailedAttempt {
  readonly problem: string;
  /** What the receiver asks for. */
  readonly retryAfterMs?: number | undefined;
  /** By the store's clock. */
  readonly nowMs: number;
  /** From 0 to 1: hooks that failed together are not tried again together. */
  readonly chance: number;
  /** For how long it may fail until it is disabled. */
  readonly giveUpMs: number;
}

/** Between one attempt and the next: twice as long each time, or what the receiver asks for if that is longer. */
export function pauseAfter(attempts: number, chance: number, retryAfterMs = 0): number {
  const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, MOST_DOUBLINGS) * (1 - chance / 4);
  return Math.min(Math.max(pauseMs, retryAfterMs), LONGEST_WEBHOOK_PAUSE_MS);
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
  const { problem, nowMs, giveUpMs, chance, retryAfterMs } = failed;
  const attempts = progress.attempts + 1;
  // If the clock was set back it began in the future.
  const failingSinceMs = Math.min(progress.failingSinceMs ?? nowMs, nowMs);
  const leftMs = failingSinceMs + giveUpMs - nowMs;
  const common = { ...progress, attempts, failingSinceMs, problem };
  if (leftMs <= 0) return { ...common, dueAtMs: 0, parkedAt: formatTimestamp(nowMs) };
  const pauseMs = Math.min(pauseAfter(attempts, chance, retryAfterMs), Math.max(leftMs, FIRST_PAUSE_MS));
  return { ...common, dueAtMs: nowMs + Math.ceil(pauseMs) };
}

/** The events after its position are not kept, or it is not of this log: it goes on with the first that is kept. */
export function afterLoss(
  progress: WebhookProgress,
  { eventsFrom, lastId }: Pick<LogState, 'eventsFrom' | 'lastId'>,
): WebhookProgress {
  const position = Math.min(eventsFrom - 1, lastId);
  return {
    ...progress,
    ...{ position, attempts: 0, dueAtMs: 0, failingSinceMs: null },
    problem: `events after ${progress.position} were pruned; continued after ${position}`,
  };
}
