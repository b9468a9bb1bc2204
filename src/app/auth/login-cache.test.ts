import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { LoginCache } from './login-cache.ts';

const principal = { account: toRecordName('ann'), role: 'operator' } as const;
const header = new Secret('Basic YW5uOmNvcnJlY3QgaG9yc2U=');
const HOME = '127.0.0.1';

describe('LoginCache, recent logins', () => {
  let nowMs: number;
  let cache: LoginCache;
  const find = (secret = header, address = HOME) => cache.findRecent('basic', secret, address);

  beforeEach(() => {
    nowMs = 0;
    cache = new LoginCache({ now: () => 0, monotonicMs: () => nowMs });
    cache.putRecent(header, HOME, principal, cache.startRead('basic'));
  });

  test('returns an entry until it expires', () => {
    expect(find()).toEqual(principal);
    nowMs = 999;
    expect(find()).toEqual(principal);
    nowMs = 1000;
    expect(find()).toBeUndefined();
  });

  test.each([
    ['another credential', 'Basic YW5uOndyb25n', HOME],
    ['another address', 'Basic YW5uOmNvcnJlY3QgaG9yc2U=', '127.0.0.2'],
    ['a credential with a leading space', ' Basic YW5uOmNvcnJlY3QgaG9yc2U=', '127.0.0.1'],
  ])('returns nothing for %s', (_case, text, address) => {
    expect(find(new Secret(text), address)).toBeUndefined();
  });

  test('returns nothing after an account change or too many failed logins', () => {
    cache.invalidateAccount(toRecordName('bob'));
    expect(find()).toBeUndefined();
    cache.putRecent(header, HOME, principal, cache.startRead('basic'));
    expect(find()).toEqual(principal);
    cache.evictGuessable('bob');
    expect(find()).toBeUndefined();
  });

  test('does not accept the secret of one kind as the other', () => {
    const secret = new Secret('session secret');
    cache.putRecent(secret, HOME, principal, cache.startRead('session'));
    expect(cache.findRecent('session', secret, HOME)).toEqual(principal);
    expect(find(secret)).toBeUndefined();
    expect(cache.findRecent('session', header, HOME)).toBeUndefined();
  });

  test('drops only sessions after a session change, and all logins after an account change', () => {
    const secret = new Secret('session secret');
    cache.putRecent(secret, HOME, principal, cache.startRead('session'));
    cache.invalidateSessions();
    expect([cache.findRecent('session', secret, HOME), find()]).toEqual([undefined, principal]);
    cache.putRecent(secret, HOME, principal, cache.startRead('session'));
    cache.invalidateAccount(principal.account);
    expect([cache.findRecent('session', secret, HOME), find()]).toEqual([undefined, undefined]);
  });

  test.each(['basic', 'session'] as const)('does not cache a %s login read before an account change', kind => {
    const [secret, mark] = [new Secret('late'), cache.startRead(kind)];
    cache.invalidateAccount(principal.account);
    cache.putRecent(secret, HOME, principal, mark);
    expect(cache.findRecent(kind, secret, HOME)).toBeUndefined();
  });

  test('does not store the credential itself', () => {
    expect(inspect(cache, { depth: null, showHidden: true })).not.toContain('YW5u');
  });

  test('drops the least recently used login when it is full', () => {
    for (let index = 0; index < 10_000; index += 1)
      cache.putRecent(new Secret(String(index)), HOME, principal, cache.startRead('basic'));
    expect(find()).toBeUndefined();
    expect(find(new Secret('9999'))).toEqual(principal);
  });
});
