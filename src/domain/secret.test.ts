import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { requireServiceKey, Secret } from './secret.ts';

const TEXT = 'correct horse';
const secret = new Secret(TEXT);

function appended(): string {
  let text = 'password=';
  text += secret;
  return text;
}

describe('Secret', () => {
  test('returns its text from reveal()', () => {
    expect(secret.reveal()).toBe(TEXT);
  });

  test.each<[string, () => string]>([
    ['String()', () => String(secret)],
    ['a template', () => `password=${secret}`],
    ['concatenation', appended],
    ['Array.join', () => ['password', secret].join('=')],
    ['JSON', () => JSON.stringify({ secret, list: [secret] })],
    ['inspect', () => inspect(secret)],
    [
      'inspect of a parent object with hidden properties',
      () => inspect({ a: { secret } }, { showHidden: true, depth: null }),
    ],
    ["an error's message", () => new Error(`cannot use ${secret}`).message],
    ["an error's cause", () => inspect(new Error('no', { cause: secret }))],
    ['a number', () => String(Number(secret))],
    ['its own properties', () => JSON.stringify([Object.entries(secret), { ...secret }, Reflect.ownKeys(secret)])],
    ['a copy', () => inspect(structuredClone(secret))],
  ])('does not leak through %s', (_way, show) => {
    expect(show()).not.toContain(TEXT);
  });

  test('prints as [secret]', () => {
    expect([`${secret}`, JSON.stringify({ secret }), inspect(secret)]).toEqual([
      '[secret]',
      '{"secret":"[secret]"}',
      '[secret]',
    ]);
  });

  test.each([
    ['the same text', 'correct horse', true],
    ['another text', 'correct house', false],
    ['a prefix', 'correct', false],
    ['a longer text', 'correct horse battery', false],
    ['an empty text', '', false],
    ['different case', 'Correct horse', false],
  ])('compares with %s', (_what, text, isEqual) => {
    expect(secret.equals(new Secret(text))).toBe(isEqual);
  });

  test('compares non-ASCII characters', () => {
    expect(new Secret('päßwörd').equals(new Secret('päßwörd'))).toBe(true);
    expect(new Secret('pä').equals(new Secret('pa'))).toBe(false);
  });
});

test('requireServiceKey throws if the service has no SSH identity', () => {
  expect(() => requireServiceKey(undefined)).toThrow(/no SSH identity, although the server creates one at its start/);
});
