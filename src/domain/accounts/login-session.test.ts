import { describe, expect, test } from 'vitest';
import { Secret } from '../secret.ts';
import {
  formatSessionSecret,
  isSessionSecret,
  MAX_SESSIONS,
  SECRET_BYTES,
  secretFormat,
  sessionDigest,
  sessionsToEvict,
} from './login-session.ts';

const text = formatSessionSecret(Buffer.alloc(32, 7));

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
    expect(sessionDigest(new Secret(formatSessionSecret(Buffer.alloc(32, 8))))).not.toBe(digest);
  });
});

test.each([
  [0, 0],
  [MAX_SESSIONS - 1, 0],
  [MAX_SESSIONS, 1],
  [MAX_SESSIONS + 5, 6],
])('of %i sessions, the oldest %i go for one more', (count, evicted) => {
  const all = Array.from({ length: count }, (_, index) => index);
  expect(sessionsToEvict(all)).toEqual(all.slice(0, evicted));
});

const { format, isValid } = secretFormat('hsx_');
const formatBytes = (bytes: number) => format(Buffer.alloc(bytes, 7));

test('what is made of as many bytes as a secret has keeps to its form', () => {
  expect(isValid(formatBytes(SECRET_BYTES))).toBe(true);
  expect(formatBytes(SECRET_BYTES)).toMatch(/^hsx_[\w-]{43}$/);
});

test.each([SECRET_BYTES - 1, SECRET_BYTES + 1])('what is made of %d bytes does not', bytes => {
  expect(isValid(formatBytes(bytes))).toBe(false);
});
