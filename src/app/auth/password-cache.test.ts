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

describe('a remembered login', () => {
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

  test('is recalled with the role and revision it had', () => {
    expect(cache.lookup(name, password)).toMatchObject({ state: 'fresh', role: 'operator', revision: 'r1' });
  });

  test.each([
    [0, 'fresh'],
    [999, 'fresh'],
    [1000, 'stale'],
    [59_999, 'stale'],
    [60_001, 'unknown'],
  ])('is after %d ms %s', (ms, state) => {
    expect(stateAt(ms)).toBe(state);
  });

  test('counts from the moment the account was read, however long the password took to verify', () => {
    cache.put(account, password, -5000);
    expect(stateAt(0)).toBe('stale');
  });

  test('is fresh for another second once the account was read again', () => {
    expect(stateAt(1500)).toBe('stale');
    expect(cache.revalidate(name, 'r1', 1500)).toBe(2500);
    expect([stateAt(2499), stateAt(2500)]).toEqual(['fresh', 'stale']);
  });

  test('is not kept longer than a minute by confirming it', () => {
    nowMs = 59_500;
    cache.revalidate(name, 'r1', nowMs);
    expect([stateAt(59_900), stateAt(60_001)]).toEqual(['fresh', 'unknown']);
  });

  test('is unknown with another password, and stays known with the right one', () => {
    expect(stateAt(1, new Secret('wrong'))).toBe('unknown');
    expect(stateAt(2)).toBe('fresh');
  });

  test('is unknown under another name', () => {
    expect(cache.lookup(toRecordName('bob'), password).state).toBe('unknown');
  });

  test('is unknown once it is forgotten, whatever is confirmed afterwards', () => {
    cache.evict(name);
    expect(cache.revalidate(name, 'r1', 0)).toBeUndefined();
    expect(stateAt(0)).toBe('unknown');
  });

  test('is replaced by a later one', () => {
    cache.put({ ...account, role: 'viewer', revision: 'r2' }, new Secret('new'), 0);
    expect(stateAt(0)).toBe('unknown');
    expect(cache.lookup(name, new Secret('new'))).toMatchObject({
      state: 'fresh',
      role: 'viewer',
      revision: 'r2',
    });
    // Whoever was reading the account as it was before confirms nothing.
    expect(cache.revalidate(name, 'r1', 0)).toBeUndefined();
  });

  test('keeps a digest of the password that is of no use elsewhere', () => {
    const digest = cache.digest(password);
    expect(digest).toEqual(cache.digest(new Secret('correct horse')));
    expect(digest).not.toEqual(new PasswordCache(clock).digest(password));
    expect(inspect(cache, { depth: null, showHidden: true })).not.toContain('correct horse');
  });
});
