import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '../../domain/accounts/account.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { PasswordCache } from './login-cache.ts';

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

describe('PasswordCache', () => {
  let nowMs: number;
  let cache: PasswordCache;
  const clock = { now: () => 0, monotonicMs: () => nowMs };
  const stateAt = (ms: number, candidate = password) => {
    nowMs = ms;
    return cache.lookup(name, candidate).state;
  };

  beforeEach(() => {
    nowMs = 0;
    cache = new PasswordCache(clock);
    cache.put(account, password, 0);
  });

  test('returns role and revision of an entry', () => {
    expect(cache.lookup(name, password)).toMatchObject({ state: 'fresh', role: 'operator', revision: 'r1' });
  });

  test.each([
    [0, 'fresh'],
    [999, 'fresh'],
    [1000, 'stale'],
    [59_999, 'stale'],
    [60_001, 'unknown'],
  ])('after %d ms an entry is %s', (ms, state) => {
    expect(stateAt(ms)).toBe(state);
  });

  test('counts the age from the time the account was read, not from the end of the verification', () => {
    cache.put(account, password, -5000);
    expect(stateAt(0)).toBe('stale');
  });

  test('keeps an entry fresh for another second after revalidation', () => {
    expect(stateAt(1500)).toBe('stale');
    expect(cache.revalidate(name, 'r1', 1500)).toBe(2500);
    expect([stateAt(2499), stateAt(2500)]).toEqual(['fresh', 'stale']);
  });

  test('expires an entry after one minute despite revalidation', () => {
    nowMs = 59_500;
    cache.revalidate(name, 'r1', nowMs);
    expect([stateAt(59_900), stateAt(60_001)]).toEqual(['fresh', 'unknown']);
  });

  test('returns unknown for a wrong password and keeps the entry', () => {
    expect(stateAt(1, new Secret('wrong'))).toBe('unknown');
    expect(stateAt(2)).toBe('fresh');
  });

  test('returns unknown for another account', () => {
    expect(cache.lookup(toRecordName('bob'), password).state).toBe('unknown');
  });

  test('returns unknown after eviction, even if it is revalidated', () => {
    cache.evict(name);
    expect(cache.revalidate(name, 'r1', 0)).toBeUndefined();
    expect(stateAt(0)).toBe('unknown');
  });

  test('replaces an entry with a newer revision', () => {
    cache.put({ ...account, role: 'viewer', revision: 'r2' }, new Secret('new'), 0);
    expect(stateAt(0)).toBe('unknown');
    expect(cache.lookup(name, new Secret('new'))).toMatchObject({
      state: 'fresh',
      role: 'viewer',
      revision: 'r2',
    });
    // A request that read the older revision must not revalidate the new entry.
    expect(cache.revalidate(name, 'r1', 0)).toBeUndefined();
  });

  test('stores the password as a digest with a key of its own', () => {
    const digest = cache.digest(password);
    expect(digest).toEqual(cache.digest(new Secret('correct horse')));
    expect(digest).not.toEqual(new PasswordCache(clock).digest(password));
    expect(inspect(cache, { depth: null, showHidden: true })).not.toContain('correct horse');
  });
});
