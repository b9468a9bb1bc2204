import { beforeEach, describe, expect, test } from 'vitest';
import { LoginRateLimiter } from './login-rate-limiter.ts';

const PER_MINUTE = 3;

describe('LoginRateLimiter', () => {
  let nowMs: number;
  let limiter: LoginRateLimiter;
  const clock = { now: () => 0, monotonicMs: () => nowMs };

  beforeEach(() => {
    nowMs = 0;
    limiter = new LoginRateLimiter(PER_MINUTE, clock);
  });

  const isLimited = (name: string, address: string) => 'waitS' in limiter.consume(name, address);
  const fail = (name: string, address: string, times = PER_MINUTE) => {
    for (let count = 0; count < times; count += 1) limiter.consume(name, address);
  };

  test('does not limit an account whose password is guessed from other networks', () => {
    for (let network = 0; network < 1000; network += 1)
      expect(isLimited('admin', `10.0.${network >> 8}.${network & 255}`)).toBe(false);
    expect(limiter.waitS('admin', '192.0.2.1')).toBeUndefined();
  });

  test('limits a network with too many failures for every account', () => {
    for (const name of ['a', 'b', 'c']) expect(isLimited(name, '10.0.0.1')).toBe(false);
    expect(limiter.consume('d', '10.0.0.1')).toEqual({ waitS: 20 });
    expect(isLimited('d', '10.0.0.2')).toBe(false);
  });

  test('allows the next attempt after the refill interval', () => {
    fail('admin', '10.0.0.1');
    nowMs += 19_999;
    expect(limiter.consume('admin', '10.0.0.1')).toEqual({ waitS: 1 });
    nowMs += 1;
    expect([isLimited('admin', '10.0.0.1'), isLimited('admin', '10.0.0.1')]).toEqual([false, true]);
  });

  test('does not count a successful login', () => {
    for (let count = 0; count < 10; count += 1) {
      const attempt = limiter.consume('admin', '10.0.0.1');
      expect(attempt).toHaveProperty('refund');
      if ('refund' in attempt) attempt.refund();
    }
  });

  test('limits a network with too many failures even after an earlier sign-in', () => {
    limiter.recordSignIn('admin', '10.0.0.1');
    fail('admin', '10.0.0.1');
    expect([isLimited('admin', '10.0.0.1'), isLimited('admin', '10.0.0.2')]).toEqual([true, false]);
  });

  test('exempts only the account that signed in from the network from waiting', () => {
    limiter.recordSignIn('admin', '10.0.0.1');
    fail('other', '10.0.0.1');
    expect(limiter.waitS('admin', '10.0.0.1')).toBeUndefined();
    expect(limiter.waitS('other', '10.0.0.1')).toBe(20);
  });

  test('does not count calls of waitS', () => {
    for (let count = 0; count < 10; count += 1) expect(limiter.waitS('admin', '10.0.0.1')).toBeUndefined();
    expect(isLimited('admin', '10.0.0.1')).toBe(false);
  });

  test.each([
    ['addresses of one IPv6 /64 together', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['addresses of two IPv6 /64 networks separately', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['two IPv4 addresses separately', '10.0.0.1', '10.0.0.2', false],
    ['both notations of an IPv4 address together', '10.0.0.1', '::ffff:10.0.0.1', true],
  ])('counts failures from %s', (_case, first, second, isTogether) => {
    fail('a', first);
    expect(isLimited('b', second)).toBe(isTogether);
  });

  test('counts tokens separately from passwords', () => {
    fail('token', '10.0.0.1');
    expect([isLimited('token', '10.0.0.1'), isLimited('token', '10.0.0.2')]).toEqual([true, false]);
    expect(isLimited('admin', '10.0.0.1')).toBe(false);
  });

  test('drops the oldest of more than 10,000 sign-ins', () => {
    const addressAt = (index: number) => `10.0.${index >> 8}.${index & 255}`;
    for (let index = 0; index < 10_000; index += 1) limiter.recordSignIn('admin', addressAt(index));
    limiter.recordSignIn('admin', addressAt(0));
    limiter.recordSignIn('admin', '192.0.2.1');
    const isExempt = (address: string) => {
      fail('other', address);
      return limiter.waitS('admin', address) === undefined;
    };
    expect([addressAt(0), addressAt(1), addressAt(2), '192.0.2.1'].map(isExempt)).toEqual([true, false, true, true]);
  });
});
