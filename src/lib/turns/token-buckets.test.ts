import { beforeEach, describe, expect, test } from 'vitest';
import { TokenBuckets } from './token-buckets.ts';

describe('token buckets', () => {
  let nowMs: number;
  let buckets: TokenBuckets;
  const clock = { now: () => 0, monotonicMs: () => nowMs };
  /** How many tokens can be taken at this moment. */
  const left = (key: string) => {
    let count = 0;
    while (buckets.take([key]) === undefined) count += 1;
    return count;
  };

  beforeEach(() => {
    nowMs = 1_000_000;
    buckets = new TokenBuckets(6, clock);
  });

  test('hold the tokens of one minute, each key its own', () => {
    expect([left('a'), left('b'), left('a')]).toEqual([6, 6, 0]);
  });

  test.each([
    [9, 0],
    [10, 1],
    [25, 2],
    [60, 6],
    [3600, 6],
  ])('have, %d seconds after they were empty, %d tokens', (seconds, tokens) => {
    left('a');
    nowMs += seconds * 1000;
    expect(left('a')).toBe(tokens);
  });

  test('say how many seconds are left until there is a token, rounded up', () => {
    left('a');
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
      expect(left('a')).toBe(perMinute);
      const waitS = buckets.wait(['a']) ?? 0;
      for (let asked = 0; asked < 10; asked += 1) {
        nowMs += waitS * 100;
        if (asked < 9) buckets.wait(['a']);
      }
      expect(buckets.take(['a'])).toBeUndefined();
    },
  );

  test('tell the wait without taking anything', () => {
    expect(buckets.wait(['a'])).toBeUndefined();
    expect(left('a')).toBe(6);
    expect(buckets.wait(['a'])).toBe(10);
  });

  test('take from none when one of them is empty', () => {
    left('empty');
    expect(buckets.take(['full', 'empty'])).toBe(10);
    expect(buckets.take(['empty', 'full'])).toBe(10);
    expect(left('full')).toBe(6);
  });

  test('answer the longest of several waits', () => {
    left('first');
    nowMs += 5000;
    left('second');
    expect(buckets.take(['first', 'second'])).toBe(10);
  });

  test('take back what was taken, up to a full bucket', () => {
    buckets.take(['a', 'b']);
    buckets.giveBack(['a', 'b']);
    buckets.giveBack(['a']);
    expect([left('a'), left('b')]).toEqual([6, 6]);
  });

  test('forget, beyond ten thousand, the key that was unused for longest', () => {
    left('oldest');
    left('used');
    for (let index = 0; index < 9998; index += 1) buckets.take([`other ${index}`]);
    expect(buckets.take(['used'])).toBe(10);
    buckets.take(['one more']);
    expect([left('oldest'), left('used')]).toEqual([6, 0]);
  });

  test('forget nobody for the sake of those who are refused', () => {
    left('victim');
    left('attacker');
    for (let index = 0; index < 20_000; index += 1) buckets.take(['attacker', `made up ${index}`]);
    expect(left('victim')).toBe(0);
  });
});
