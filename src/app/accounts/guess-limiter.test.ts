import { beforeEach, describe, expect, test } from 'vitest';
import { GuessLimiter } from './guess-limiter.ts';

const PER_MINUTE = 3;

describe('the limiter of guesses', () => {
  let nowMs: number;
  let limiter: GuessLimiter;
  const clock = { now: () => 0, monotonicMs: () => nowMs };

  beforeEach(() => {
    nowMs = 0;
    limiter = new GuessLimiter(PER_MINUTE, clock);
  });

  const isRefused = (name: string, address: string) => 'waitS' in limiter.attempt(name, address);
  const fail = (name: string, address: string, times = PER_MINUTE) => {
    for (let count = 0; count < times; count += 1) limiter.attempt(name, address);
  };

  test('refuses an address that failed too often, whichever accounts it tried', () => {
    for (const name of ['a', 'b', 'c']) expect(isRefused(name, '10.0.0.1')).toBe(false);
    expect(limiter.attempt('d', '10.0.0.1')).toEqual({ waitS: 20 });
    expect(isRefused('d', '10.0.0.2')).toBe(false);
  });

  test('refuses guesses at an account that come from many addresses', () => {
    for (const host of [1, 2, 3]) expect(isRefused('admin', `10.0.0.${host}`)).toBe(false);
    expect(limiter.attempt('admin', '10.0.0.4')).toEqual({ waitS: 20 });
    expect(isRefused('other', '10.0.0.4')).toBe(false);
  });

  test('lets the next guess through when its time has come', () => {
    fail('admin', '10.0.0.1');
    nowMs += 19_999;
    expect(limiter.attempt('admin', '10.0.0.1')).toEqual({ waitS: 1 });
    nowMs += 1;
    expect([isRefused('admin', '10.0.0.1'), isRefused('admin', '10.0.0.1')]).toEqual([false, true]);
  });

  test('does not count a good login', () => {
    for (let count = 0; count < 10; count += 1) {
      const attempt = limiter.attempt('admin', '10.0.0.1');
      expect(attempt).toHaveProperty('giveBack');
      if ('giveBack' in attempt) attempt.giveBack();
    }
  });

  test('gives back for a good login what that login took, though its address became a friend meanwhile', () => {
    const attempt = limiter.attempt('admin', '10.0.0.1');
    limiter.befriend('admin', '10.0.0.1');
    if ('giveBack' in attempt) attempt.giveBack();
    for (const host of [2, 3, 4]) expect(isRefused('admin', `10.0.0.${host}`)).toBe(false);
  });

  test('does not hold up a friend for what others do to the account', () => {
    limiter.befriend('admin', '10.0.0.1');
    for (const host of [2, 3, 4]) fail('admin', `10.0.0.${host}`, 1);
    expect(limiter.strangerWaitS('admin', '10.0.0.5')).toBe(20);
    expect(limiter.strangerWaitS('admin', '10.0.0.1')).toBeUndefined();
    expect([isRefused('admin', '10.0.0.1'), isRefused('admin', '10.0.0.5')]).toEqual([false, true]);
  });

  test('counts the failures of a friend itself', () => {
    limiter.befriend('admin', '10.0.0.1');
    fail('admin', '10.0.0.1');
    expect(isRefused('admin', '10.0.0.1')).toBe(true);
    expect(isRefused('admin', '10.0.0.2')).toBe(false);
  });

  test('takes a friend of one account as a stranger to another', () => {
    limiter.befriend('viewer', '10.0.0.1');
    for (const host of [2, 3, 4]) fail('admin', `10.0.0.${host}`, 1);
    expect(limiter.strangerWaitS('admin', '10.0.0.1')).toBe(20);
  });

  test('asks a stranger to wait without counting the question', () => {
    for (let count = 0; count < 10; count += 1) {
      expect(limiter.strangerWaitS('admin', '10.0.0.1')).toBeUndefined();
    }
    expect(isRefused('admin', '10.0.0.1')).toBe(false);
  });

  test.each([
    ['addresses in one IPv6 network of 64 bits', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['addresses in two IPv6 networks', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['two IPv4 addresses', '10.0.0.1', '10.0.0.2', false],
    ['both spellings of an IPv4 address', '10.0.0.1', '::ffff:10.0.0.1', true],
  ])('counts %s together or apart', (_what, one, two, isTogether) => {
    fail('a', one);
    expect(isRefused('b', two)).toBe(isTogether);
  });

  test('counts what cannot be the name of an account by address only, and so keeps no such name', () => {
    const name = 'x'.repeat(10_000);
    fail(name, '10.0.0.1');
    expect([isRefused(name, '10.0.0.1'), isRefused(name, '10.0.0.2')]).toEqual([true, false]);
  });

  test('counts tokens by address only, and apart from passwords: nobody shuts them out, and they shut out nobody', () => {
    fail('token', '10.0.0.1');
    expect([isRefused('token', '10.0.0.1'), isRefused('token', '10.0.0.2')]).toEqual([true, false]);
    expect(isRefused('admin', '10.0.0.1')).toBe(false);
  });

  test('forgets, beyond ten thousand, the friend that was not seen for longest', () => {
    const addressOf = (index: number) => `10.0.${index >> 8}.${index & 255}`;
    for (let index = 0; index < 10_000; index += 1) limiter.befriend('admin', addressOf(index));
    limiter.befriend('admin', addressOf(0));
    limiter.befriend('admin', '192.0.2.1');
    for (const host of [2, 3, 4]) fail('admin', `192.0.2.${host}`, 1);
    const isFriend = (address: string) => limiter.strangerWaitS('admin', address) === undefined;
    expect([addressOf(0), addressOf(1), addressOf(2), '192.0.2.1'].map(isFriend)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});
