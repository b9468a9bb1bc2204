import { describe, expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import {
  beyondRoom,
  isSessionSecret,
  MAX_SESSIONS,
  sessionDigest,
  sessionSecretText,
} from './login-session.ts';

const text = sessionSecretText(Buffer.alloc(32, 7));

describe('the secret of a session', () => {
  test('is known by its form', () => {
    expect(isSessionSecret(text)).toBe(true);
  });

  test.each([
    ['nothing', ''],
    ['one that is cut', text.slice(0, -1)],
    ['one with more behind it', `${text}x`],
    ['one with a newline behind it', `${text}\n`],
    ['one of an enrolment token', text.replace('hss_', 'hst_')],
    ['one in quotes', `"${text}"`],
  ])('is not %s', (_what, other) => {
    expect(isSessionSecret(other)).toBe(false);
  });

  test('cannot be read from its digest, which another one does not have', () => {
    const digest = sessionDigest(new Secret(text));
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(sessionDigest(new Secret(sessionSecretText(Buffer.alloc(32, 8))))).not.toBe(digest);
  });
});

test.each([
  [0, 0],
  [MAX_SESSIONS - 1, 0],
  [MAX_SESSIONS, 1],
  [MAX_SESSIONS + 5, 6],
])('of %i sessions, the oldest %i go for one more', (had, gone) => {
  const all = Array.from({ length: had }, (_, index) => index);
  expect(beyondRoom(all)).toEqual(all.slice(0, gone));
});
