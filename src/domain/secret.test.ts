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

describe('a secret', () => {
  test('gives its text to whoever asks for it by name', () => {
    expect(secret.reveal()).toBe(TEXT);
  });

  test.each<[string, () => string]>([
    ['String()', () => String(secret)],
    ['a template', () => `password=${secret}`],
    ['concatenation', appended],
    ['a joined list', () => ['password', secret].join('=')],
    ['JSON', () => JSON.stringify({ secret, list: [secret] })],
    ['inspect', () => inspect(secret)],
    [
      'inspect of what holds it, with everything shown',
      () => inspect({ a: { secret } }, { showHidden: true, depth: null }),
    ],
    ["an error's message", () => new Error(`cannot use ${secret}`).message],
    ["an error's cause", () => inspect(new Error('no', { cause: secret }))],
    ['a number', () => String(Number(secret))],
    [
      'its own properties',
      () => JSON.stringify([Object.entries(secret), { ...secret }, Reflect.ownKeys(secret)]),
    ],
    ['a copy', () => inspect(structuredClone(secret))],
  ])('does not show through %s', (_way, show) => {
    expect(show()).not.toContain(TEXT);
  });

  test('says what it is where it is shown', () => {
    expect([`${secret}`, JSON.stringify({ secret }), inspect(secret)]).toEqual([
      '[secret]',
      '{"secret":"[secret]"}',
      '[secret]',
    ]);
  });

  test.each([
    ['the same text', 'correct horse', true],
    ['another text', 'correct house', false],
    ['a part of it', 'correct', false],
    ['more than it', 'correct horse battery', false],
    ['nothing', '', false],
    ['other capitals', 'Correct horse', false],
  ])('is compared with %s', (_what, text, isEqual) => {
    expect(secret.equals(new Secret(text))).toBe(isEqual);
  });

  test('is compared by characters, of whatever script', () => {
    expect(new Secret('päßwörd').equals(new Secret('päßwörd'))).toBe(true);
    expect(new Secret('pä').equals(new Secret('pa'))).toBe(false);
  });
});

test('a service that runs without an identity is a fault, and says so', () => {
  expect(() => requireServiceKey(undefined)).toThrow(
    /no SSH identity, although the server creates one at its start/,
  );
});
