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

describe('session secret', () => {
  test('is valid in the generated format', () => {
    expect(isSessionSecret(text)).toBe(true);
  });

  test.each([
    ['empty', ''],
    ['truncated', text.slice(0, -1)],
    ['too long', `${text}x`],
    ['trailing newline', `${text}\n`],
    ['prefix of an enrolment token', text.replace('hss_', 'hst_')],
    ['quoted', `"${text}"`],
  ])('is invalid: %s', (_what, other) => {
    expect(isSessionSecret(other)).toBe(false);
  });

  test('has a SHA-256 digest that identifies it', () => {
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
])('a new login of an account with %i sessions evicts the oldest %i', (count, evicted) => {
  const all = Array.from({ length: count }, (_, index) => index);
  expect(sessionsToEvict(all)).toEqual(all.slice(0, evicted));
});

const { format, isValid } = secretFormat('hsx_');
const formatBytes = (bytes: number) => format(Buffer.alloc(bytes, 7));

test('secretFormat accepts a secret of SECRET_BYTES bytes', () => {
  expect(isValid(formatBytes(SECRET_BYTES))).toBe(true);
  expect(formatBytes(SECRET_BYTES)).toMatch(/^hsx_[\w-]{43}$/);
});

test.each([SECRET_BYTES - 1, SECRET_BYTES + 1])('secretFormat rejects a secret of %d bytes', bytes => {
  expect(isValid(formatBytes(bytes))).toBe(false);
});
