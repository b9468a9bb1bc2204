import { beforeEach, describe, expect, test } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

describe('token buckets', () => {
  let nowMs: number;
  let buckets: TokenBuckets;
  const clock = { now: () => 0, monotonicMs: () => nowMs };
  /** How many tokens can be taken at this moment. */
  const takeAll = (key: string) => {
    let count = 0;
    while (buckets.take([key]) === undefined) count += 1;
    return count;
  };

  beforeEach(() => {
    nowMs = 1_000_000;
    buckets = new TokenBuckets(6, clock);
  });

  test('hold the tokens of one minute, each key its own', () => {
    expect([takeAll('a'), takeAll('b'), takeAll('a')]).toEqual([6, 6, 0]);
  });

  test.each([
    [9, 0],
    [10, 1],
    [25, 2],
    [60, 6],
    [3600, 6],
  ])('have, %d seconds after they were empty, %d tokens', (seconds, tokens) => {
    takeAll('a');
    nowMs += seconds * 1000;
    expect(takeAll('a')).toBe(tokens);
  });

  test('say how many seconds are left until there is a token, rounded up', () => {
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
    'of %d a minute have a token when they said so, however often they were asked',
    perMinute => {
      buckets = new TokenBuckets(perMinute, clock);
      expect(takeAll('a')).toBe(perMinute);
      const waitS = buckets.retryAfterS(['a']) ?? 0;
      for (let asked = 0; asked < 10; asked += 1) {
        nowMs += waitS * 100;
        if (asked < 9) buckets.retryAfterS(['a']);
      }
      expect(buckets.take(['a'])).toBeUndefined();
    },
  );

  test('tell the wait without taking anything', () => {
    expect(buckets.retryAfterS(['a'])).toBeUndefined();
    expect(takeAll('a')).toBe(6);
    expect(buckets.retryAfterS(['a'])).toBe(10);
  });

  test('take from none when one of them is empty', () => {
    takeAll('empty');
    expect(buckets.take(['full', 'empty'])).toBe(10);
    expect(buckets.take(['empty', 'full'])).toBe(10);
    expect(takeAll('full')).toBe(6);
  });

  test('answer the longest of several waits', () => {
    takeAll('first');
    nowMs += 5000;
    takeAll('second');
    expect(buckets.take(['first', 'second'])).toBe(10);
  });

  test('take back what was taken, up to a full bucket', () => {
    buckets.take(['a', 'b']);
    buckets.refund(['a', 'b']);
    buckets.refund(['a']);
    expect([takeAll('a'), takeAll('b')]).toEqual([6, 6]);
  });

  test('forget, beyond ten thousand, the key that was unused for longest', () => {
    takeAll('oldest');
    takeAll('used');
    for (let index = 0; index < 9998; index += 1) buckets.take([`other ${index}`]);
    expect(buckets.take(['used'])).toBe(10);
    buckets.take(['one more']);
    expect([takeAll('oldest'), takeAll('used')]).toEqual([6, 0]);
  });

  test('forget nobody for the sake of those who are refused', () => {
    takeAll('victim');
    takeAll('attacker');
    for (let index = 0; index < 20_000; index += 1) buckets.take(['attacker', `made up ${index}`]);
    expect(takeAll('victim')).toBe(0);
  });
});
