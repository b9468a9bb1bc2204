import { beforeEach, describe, expect, test } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

describe('TokenBuckets', () => {
  let nowMs: number;
  let buckets: TokenBuckets;
  const clock = { now: () => 0, monotonicMs: () => nowMs };
  /** Takes all tokens and returns their number. */
  const takeAll = (key: string) => {
    let count = 0;
    while (buckets.take([key]) === undefined) count += 1;
    return count;
  };

  beforeEach(() => {
    nowMs = 1_000_000;
    buckets = new TokenBuckets(6, clock);
  });

  test('has the tokens of one minute for each key', () => {
    expect([takeAll('a'), takeAll('b'), takeAll('a')]).toEqual([6, 6, 0]);
  });

  test.each([
    [9, 0],
    [10, 1],
    [25, 2],
    [60, 6],
    [3600, 6],
  ])('refills an empty bucket in %d seconds to %d tokens', (seconds, tokens) => {
    takeAll('a');
    nowMs += seconds * 1000;
    expect(takeAll('a')).toBe(tokens);
  });

  test('returns the seconds until the next token, rounded up', () => {
    takeAll('a');
    expect(buckets.take(['a'])).toBe(10);
    nowMs += 500;
    expect(buckets.take(['a'])).toBe(10);
    nowMs += 9000;
    expect(buckets.take(['a'])).toBe(1);
    nowMs += 500;
    expect(buckets.take(['a'])).toBeUndefined();
  });

  test.each([1, 3, 7, 60, 97, 1000])(
    'refills a bucket of %d tokens per minute at the announced time, regardless of calls in between',
    perMinute => {
      buckets = new TokenBuckets(perMinute, clock);
      expect(takeAll('a')).toBe(perMinute);
      const waitS = buckets.retryAfterS(['a']) ?? 0;
      for (let count = 0; count < 10; count += 1) {
        nowMs += waitS * 100;
        if (count < 9) buckets.retryAfterS(['a']);
      }
      expect(buckets.take(['a'])).toBeUndefined();
    },
  );

  test('returns the wait without taking a token', () => {
    expect(buckets.retryAfterS(['a'])).toBeUndefined();
    expect(takeAll('a')).toBe(6);
    expect(buckets.retryAfterS(['a'])).toBe(10);
  });

  test('takes no token if one of several buckets is empty', () => {
    takeAll('empty');
    expect(buckets.take(['full', 'empty'])).toBe(10);
    expect(buckets.take(['empty', 'full'])).toBe(10);
    expect(takeAll('full')).toBe(6);
  });

  test('returns the longest wait of several buckets', () => {
    takeAll('first');
    nowMs += 5000;
    takeAll('second');
    expect(buckets.take(['first', 'second'])).toBe(10);
  });

  test('refunds tokens up to a full bucket', () => {
    buckets.take(['a', 'b']);
    buckets.refund(['a', 'b']);
    buckets.refund(['a']);
    expect([takeAll('a'), takeAll('b')]).toEqual([6, 6]);
  });

  test('drops the least recently used key above ten thousand', () => {
    takeAll('oldest');
    takeAll('used');
    for (let index = 0; index < 9998; index += 1) buckets.take([`other ${index}`]);
    expect(buckets.take(['used'])).toBe(10);
    buckets.take(['one more']);
    expect([takeAll('oldest'), takeAll('used')]).toEqual([6, 0]);
  });

  test('keeps other keys when rejected calls use new keys', () => {
    takeAll('victim');
    takeAll('attacker');
    for (let index = 0; index < 20_000; index += 1) buckets.take(['attacker', `made up ${index}`]);
    expect(takeAll('victim')).toBe(0);
  });
});
