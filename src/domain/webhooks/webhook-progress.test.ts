import { describe, expect, test } from 'vitest';
import { initialProgress } from './webhook.ts';
import { afterDelivery, afterFailure, afterLogGap, afterSkipping, webhookBackoffMs } from './webhook-progress.ts';

const DAY_MS = 86_400_000;
const QUARTER_MS = 15 * 60_000;

test.each([
  [1, 0, undefined, 1000],
  [2, 0, undefined, 2000],
  [5, 0, undefined, 16_000],
  [11, 0, undefined, QUARTER_MS],
  [1_000_000, 0, undefined, QUARTER_MS],
  [2, 1, undefined, 1500],
  [1, 0, 60_000, 60_000],
  [8, 0, 1000, 128_000],
  [1, 0, DAY_MS, QUARTER_MS],
])(
  'the webhook backoff after %d attempts with jitter %d and Retry-After %s is %d ms',
  (attempts, jitter, retryAfterMs, backoffMs) => {
    expect(webhookBackoffMs(attempts, jitter, retryAfterMs)).toBe(backoffMs);
  },
);

describe('failing webhook', () => {
  const failed = {
    problem: 'the receiver responded with status 500',
    nowMs: 10 * DAY_MS,
    jitter: 0,
    timeoutMs: DAY_MS,
  };

  test.each([
    ['is retried after the first failure', null, { attempts: 1, dueAtMs: 10 * DAY_MS + 1000, disabledAt: null }],
    [
      'is retried once more at the end of the timeout',
      9 * DAY_MS + 1500,
      { dueAtMs: 10 * DAY_MS + 1500, disabledAt: null },
    ],
    ['is disabled after the timeout', 9 * DAY_MS, { dueAtMs: 0, disabledAt: '1970-01-11T00:00:00.000000' }],
    [
      'restarts the timeout after the clock was set back',
      11 * DAY_MS,
      { failingSinceMs: 10 * DAY_MS, disabledAt: null },
    ],
  ])('%s', (_what, failingSinceMs, after) => {
    const attempts = failingSinceMs === null ? 0 : 3;
    expect(afterFailure({ ...initialProgress(5), attempts, failingSinceMs }, failed)).toMatchObject({
      problem: 'the receiver responded with status 500',
      position: 5,
      ...after,
    });
  });

  test('is active again after the next delivery, and keeps its last problem', () => {
    const failing = afterFailure(initialProgress(5), failed);
    expect(afterDelivery(failing, 6, 'now')).toEqual({
      ...initialProgress(6),
      ...{ problem: 'the receiver responded with status 500', deliveredId: 6, deliveredAt: 'now' },
    });
  });
});

test.each([
  ['was pruned', 3, { firstReadableId: 10, lastId: 20 }, 9],
  ['belongs to a replaced log', 30, { firstReadableId: 10, lastId: 20 }, 9],
  ['belongs to an empty log', 3, { firstReadableId: 21, lastId: 20 }, 20],
])('a position that %s moves to the first readable event', (_what, position, state, after) => {
  expect(afterLogGap(initialProgress(position), state)).toMatchObject({
    position: after,
    problem: expect.stringContaining(`events after ${position} were pruned`),
  });
});

test('skipping events never moves the position back', () => {
  expect(afterSkipping(initialProgress(5), 3).position).toBe(5);
  expect(afterSkipping(initialProgress(5), 8).position).toBe(8);
});
