import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '../../domain/accounts/account.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { LoginCache } from './login-cache.ts';

const name = toRecordName('ann');
const account: Account = {
  name,
  role: 'operator',
  passwordHash: 'hash',
  revision: 'r1',
  createdAt: '',
  changedAt: '',
};
const password = new Secret('correct horse');

describe('LoginCache, passwords', () => {
  let nowMs: number;
  let cache: LoginCache;
  const clock = { now: () => 0, monotonicMs: () => nowMs };
  const stateAt = (ms: number, candidate = password) => {
    nowMs = ms;
    const cached = cache.findPassword(name, candidate);
    if (cached === undefined) return 'unknown';
    return cached.isFresh ? 'fresh' : 'unchecked';
  };
  const readAt = (ms: number) => {
    nowMs = ms;
    return cache.startRead('basic');
  };

  beforeEach(() => {
    nowMs = 0;
    cache = new LoginCache(clock);
    cache.putPassword(account, password, readAt(0));
  });

  test('returns role and revision of an entry', () => {
    expect(cache.findPassword(name, password)).toMatchObject({
      ...{ isFresh: true, principal: { account: name, role: 'operator', revision: 'r1' } },
    });
  });

  test.each([
    [0, 'fresh'],
    [999, 'fresh'],
    [1000, 'unchecked'],
    [59_999, 'unchecked'],
    [60_001, 'unknown'],
  ])('an entry that is %d ms old is %s', (ms, state) => {
    expect(stateAt(ms)).toBe(state);
  });

  test('counts the age from the time the account was read, not from the end of the verification', () => {
    cache.putPassword(account, password, readAt(-5000));
    expect(stateAt(0)).toBe('unchecked');
  });

  test('keeps an entry fresh for another second after revalidation', () => {
    expect(stateAt(1500)).toBe('unchecked');
    expect(cache.revalidatePassword(name, 'r1', readAt(1500))).toBe(true);
    expect([stateAt(2499), stateAt(2500)]).toEqual(['fresh', 'unchecked']);
  });

  test('expires an entry after one minute despite revalidation', () => {
    cache.revalidatePassword(name, 'r1', readAt(59_500));
    expect([stateAt(59_900), stateAt(60_001)]).toEqual(['fresh', 'unknown']);
  });

  test('returns unknown for a wrong password and keeps the entry', () => {
    expect(stateAt(1, new Secret('wrong'))).toBe('unknown');
    expect(stateAt(2)).toBe('fresh');
  });

  test('returns unknown for another account', () => {
    expect(cache.findPassword(toRecordName('bob'), password)).toBeUndefined();
  });

  test('returns unknown after eviction, even if it is revalidated', () => {
    cache.evictPassword(name);
    expect(cache.revalidatePassword(name, 'r1', readAt(0))).toBe(false);
    expect(stateAt(0)).toBe('unknown');
  });

  test('does not cache or revalidate a password that was read before an account change', () => {
    const mark = readAt(0);
    cache.invalidateAccount(toRecordName('bob'));
    expect(stateAt(0)).toBe('fresh');
    expect(cache.revalidatePassword(name, 'r1', mark)).toBe(false);
    cache.putPassword({ ...account, revision: 'r2' }, new Secret('new'), mark);
    expect(stateAt(0, new Secret('new'))).toBe('unknown');
  });

  test('caches and revalidates a password that was read before a session change', () => {
    const mark = readAt(0);
    cache.invalidateSessions();
    expect(cache.revalidatePassword(name, 'r1', mark)).toBe(true);
    cache.putPassword({ ...account, revision: 'r2' }, new Secret('new'), mark);
    expect(stateAt(0, new Secret('new'))).toBe('fresh');
  });

  test('replaces an entry with a newer revision', () => {
    cache.putPassword({ ...account, role: 'viewer', revision: 'r2' }, new Secret('new'), readAt(0));
    expect(stateAt(0)).toBe('unknown');
    expect(cache.findPassword(name, new Secret('new'))).toMatchObject({
      ...{ isFresh: true, principal: { role: 'viewer', revision: 'r2' } },
    });
    // A request that read the older revision must not revalidate the new entry.
    expect(cache.revalidatePassword(name, 'r1', readAt(0))).toBe(false);
  });

  test('stores the password as a digest with a key of its own', () => {
    const digest = cache.digest(password);
    expect(digest).toEqual(cache.digest(new Secret('correct horse')));
    expect(digest).not.toEqual(new LoginCache(clock).digest(password));
    expect(inspect(cache, { depth: null, showHidden: true })).not.toContain('correct horse');
  });
});
