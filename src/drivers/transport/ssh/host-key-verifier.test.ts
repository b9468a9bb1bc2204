import { expect, test } from 'vitest';
import { HOST_KEY, OTHER_HOST_KEY } from '../../../../test/harness/keys.ts';
import { HostKeyVerifier } from './host-key-verifier.ts';

const blob = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64');
const DENIED = new Error('Handshake failed: Host denied (verification failed)');

test('without known keys the first that a host shows is right, and no other on the same connection', () => {
  const check = new HostKeyVerifier([]);
  expect(check.verify(blob(HOST_KEY))).toBe(true);
  expect(check.verify(blob(HOST_KEY))).toBe(true);
  expect(check.verify(blob(OTHER_HOST_KEY))).toBe(false);
  expect(check.toFailure(DENIED)).toMatchObject({ kind: 'host_key_changed', presentedKey: OTHER_HOST_KEY });
});

test('with known keys each of them is right, with a comment or not, and no other', () => {
  const check = new HostKeyVerifier([`${HOST_KEY} root@host`]);
  expect(check.verify(blob(HOST_KEY))).toBe(true);
  expect(check.toFailure(DENIED)).toBeUndefined();
  expect(check.verify(blob(OTHER_HOST_KEY))).toBe(false);
  expect(check.toFailure(DENIED)).toMatchObject({ kind: 'host_key_changed', presentedKey: OTHER_HOST_KEY });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a length and no more', Buffer.from([0, 0, 0, 200])],
  ['a type that nobody knows', Buffer.from('\0\0\0\x08ssh-evil\0\0\0\x04data')],
  ['a type of escape sequences', Buffer.from('\0\0\0\x08\u001b[2J\u0007abcd')],
])('%s is no key, known or not, and is told harmlessly', (_what, bytes) => {
  const check = new HostKeyVerifier([]);
  expect(check.verify(bytes)).toBe(false);
  const { kind, detail } = check.toFailure(DENIED) ?? {};
  expect(kind).toBe('unreachable');
  expect(detail).not.toMatch(/\p{C}/u);
});

test('a host without a key of the known types has changed', () => {
  const check = new HostKeyVerifier([HOST_KEY]);
  const failure = check.toFailure(new Error('Handshake failed: no matching host key format'));
  expect([failure?.kind, check.hasNoKnownKeyType]).toEqual(['host_key_changed', true]);
  expect(
    new HostKeyVerifier([]).toFailure(new Error('Handshake failed: no matching host key format')),
  ).toBeUndefined();
});
