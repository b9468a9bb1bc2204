import { describe, expect, test } from 'vitest';
import type { RetryPolicy } from './retry-policy.ts';
import { backoffMs, isRetryExhausted } from './retry-policy.ts';

const policy: RetryPolicy = { initialBackoffMs: 2000, maxBackoffMs: 60_000, timeoutMs: 600_000 };

describe('retry policy', () => {
  test.each([
    [1, 2000],
    [2, 4000],
    [3, 8000],
    [5, 32_000],
    [6, 60_000],
    [5000, 60_000],
  ])('the backoff after %i attempts is at most %i ms, and at least half of it', (attempts, maxMs) => {
    expect(backoffMs(policy, attempts, 1)).toBe(maxMs);
    expect(backoffMs(policy, attempts, 0)).toBe(maxMs / 2);
  });

  test.each([
    [0, false],
    [599_999, false],
    [600_000, true],
  ])('is exhausted after %i ms of retries: %s', (retryTimeMs, isExhausted) => {
    expect(isRetryExhausted(policy, retryTimeMs)).toBe(isExhausted);
  });

  test('is never exhausted without a timeout', () => {
    expect(isRetryExhausted({ ...policy, timeoutMs: null }, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
