import { expect, test } from 'vitest';
import { HOST_KEY, OTHER_HOST_KEY } from '../../../../test/harness/credentials.ts';
import { HostKeyVerifier } from './host-key-verifier.ts';

const blob = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64');
const DENIED = new Error('Handshake failed: Host denied (verification failed)');

test('HostKeyVerifier without known keys trusts only the first key of a connection', () => {
  const verifier = new HostKeyVerifier([]);
  expect(verifier.verify(blob(HOST_KEY))).toBe(true);
  expect(verifier.verify(blob(HOST_KEY))).toBe(true);
  expect(verifier.verify(blob(OTHER_HOST_KEY))).toBe(false);
  expect(verifier.toFailure(DENIED)).toMatchObject({
    kind: 'host_key_changed',
    presentedKey: OTHER_HOST_KEY,
  });
});

test('HostKeyVerifier with known keys trusts only these, with or without a comment', () => {
  const verifier = new HostKeyVerifier([`${HOST_KEY} root@host`]);
  expect(verifier.verify(blob(HOST_KEY))).toBe(true);
  expect(verifier.toFailure(DENIED)).toBeUndefined();
  expect(verifier.verify(blob(OTHER_HOST_KEY))).toBe(false);
  expect(verifier.toFailure(DENIED)).toMatchObject({
    kind: 'host_key_changed',
    presentedKey: OTHER_HOST_KEY,
  });
});

test.each([
  ['an empty blob', Buffer.alloc(0)],
  ['only a length', Buffer.from([0, 0, 0, 200])],
  ['an unknown type', Buffer.from('\0\0\0\x08ssh-evil\0\0\0\x04data')],
  ['a type with escape sequences', Buffer.from('\0\0\0\x08\u001b[2J\u0007abcd')],
])('HostKeyVerifier rejects %s as a key with a sanitized message', (_label, bytes) => {
  const verifier = new HostKeyVerifier([]);
  expect(verifier.verify(bytes)).toBe(false);
  const { kind, detail } = verifier.toFailure(DENIED) ?? {};
  expect(kind).toBe('unreachable');
  expect(detail).not.toMatch(/\p{C}/u);
});

test('HostKeyVerifier reports a changed key if the host has no known key type', () => {
  const verifier = new HostKeyVerifier([HOST_KEY]);
  const failure = verifier.toFailure(new Error('Handshake failed: no matching host key format'));
  expect([failure?.kind, verifier.hasNoKnownKeyType]).toEqual(['host_key_changed', true]);
  expect(new HostKeyVerifier([]).toFailure(new Error('Handshake failed: no matching host key format'))).toBeUndefined();
});
