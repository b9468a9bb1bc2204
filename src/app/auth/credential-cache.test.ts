import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { CredentialCache } from './login-cache.ts';

const principal = { account: toRecordName('ann'), role: 'operator' } as const;
const header = new Secret('Basic YW5uOmNvcnJlY3QgaG9yc2U=');
const HOME = '127.0.0.1';

describe('CredentialCache', () => {
  let nowMs: number;
  let cache: CredentialCache;

  beforeEach(() => {
    nowMs = 0;
    cache = new CredentialCache({ now: () => 0, monotonicMs: () => nowMs });
    cache.add(header, HOME, principal, 1000);
  });

  test('returns an entry until it expires', () => {
    expect(cache.find(header, HOME)).toEqual(principal);
    nowMs = 999;
    expect(cache.find(header, HOME)).toEqual(principal);
    nowMs = 1000;
    expect(cache.find(header, HOME)).toBeUndefined();
  });

  test.each([
    ['another credential', 'Basic YW5uOndyb25n', HOME],
    ['another address', 'Basic YW5uOmNvcnJlY3QgaG9yc2U=', '127.0.0.2'],
    ['a credential with a leading space', ' Basic YW5uOmNvcnJlY3QgaG9yc2U=', '127.0.0.1'],
  ])('returns nothing for %s', (_case, text, address) => {
    expect(cache.find(new Secret(text), address)).toBeUndefined();
  });

  test('returns nothing after clear', () => {
    cache.clear();
    expect(cache.find(header, HOME)).toBeUndefined();
  });

  test('does not store the credential itself', () => {
    expect(inspect(cache, { depth: null, showHidden: true })).not.toContain('YW5u');
  });

  test('is cleared when it is full', () => {
    for (let index = 0; index < 10_000; index += 1) cache.add(new Secret(String(index)), HOME, principal, 1000);
    expect(cache.find(header, HOME)).toBeUndefined();
    expect(cache.find(new Secret('9999'), HOME)).toEqual(principal);
  });
});
