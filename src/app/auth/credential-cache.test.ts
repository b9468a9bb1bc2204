import { inspect } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { CredentialCache } from './login-cache.ts';

const principal = { account: toRecordName('ann'), role: 'operator' } as const;
const header = new Secret('Basic YW5uOmNvcnJlY3QgaG9yc2U=');
const HOME = '127.0.0.1';

describe('a recent caller', () => {
  let nowMs: number;
  let cache: CredentialCache;

  beforeEach(() => {
    nowMs = 0;
    cache = new CredentialCache({ now: () => 0, monotonicMs: () => nowMs });
    cache.add(header, HOME, principal, 1000);
  });

  test('is found until the time that was given', () => {
    expect(cache.find(header, HOME)).toEqual(principal);
    nowMs = 999;
    expect(cache.find(header, HOME)).toEqual(principal);
    nowMs = 1000;
    expect(cache.find(header, HOME)).toBeUndefined();
  });

  test.each([
    ['presents something else', 'Basic YW5uOndyb25n', HOME],
    ['calls from elsewhere', 'Basic YW5uOmNvcnJlY3QgaG9yc2U=', '127.0.0.2'],
    ['moves a sign from one to the other', ' Basic YW5uOmNvcnJlY3QgaG9yc2U=', '127.0.0.1'],
  ])('is not found when somebody %s', (_what, text, address) => {
    expect(cache.find(new Secret(text), address)).toBeUndefined();
  });

  test('is not found once all are forgotten', () => {
    cache.clear();
    expect(cache.find(header, HOME)).toBeUndefined();
  });

  test('is not kept as what was presented', () => {
    expect(inspect(cache, { depth: null, showHidden: true })).not.toContain('YW5u');
  });

  test('does not make room for ever more', () => {
    for (let index = 0; index < 10_000; index += 1)
      cache.add(new Secret(String(index)), HOME, principal, 1000);
    expect(cache.find(header, HOME)).toBeUndefined();
    expect(cache.find(new Secret('9999'), HOME)).toEqual(principal);
  });
});
