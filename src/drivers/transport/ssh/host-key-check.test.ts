import { expect, test } from 'vitest';
import { HOST_KEY, OTHER_HOST_KEY } from '../../../../test/harness/keys.ts';
import { HostKeyCheck } from './host-key-check.ts';

const blob = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64');
const DENIED = new Error('Handshake failed: Host denied (verification failed)');

test('without known keys the first that a host shows is right, and no other on the same connection', () => {
  const check = new HostKeyCheck([]);
  expect(check.isRight(blob(HOST_KEY))).toBe(true);
  expect(check.isRight(blob(HOST_KEY))).toBe(true);
  expect(check.isRight(blob(OTHER_HOST_KEY))).toBe(false);
  expect(check.failure(DENIED)).toMatchObject({ kind: 'host_key_changed', offeredKey: OTHER_HOST_KEY });
});

test('with known keys each of them is right, with a comment or not, and no other', () => {
  const check = new HostKeyCheck([`${HOST_KEY} root@host`]);
  expect(check.isRight(blob(HOST_KEY))).toBe(true);
  expect(check.failure(DENIED)).toBeUndefined();
  expect(check.isRight(blob(OTHER_HOST_KEY))).toBe(false);
  expect(check.failure(DENIED)).toMatchObject({ kind: 'host_key_changed', offeredKey: OTHER_HOST_KEY });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a length and no more', Buffer.from([0, 0, 0, 200])],
  ['a type that nobody knows', Buffer.from('\0\0\0\x08ssh-evil\0\0\0\x04data')],
  ['a type of escape sequences', Buffer.from('\0\0\0\x08\u001b[2J\u0007abcd')],
])('%s is no key, known or not, and is told harmlessly', (_what, bytes) => {
  const check = new HostKeyCheck([]);
  expect(check.isRight(bytes)).toBe(false);
  const { kind, detail } = check.failure(DENIED) ?? {};
  expect(kind).toBe('unreachable');
  expect(detail).not.toMatch(/\p{C}/u);
});

test('a host without a key of the known types has changed', () => {
  const check = new HostKeyCheck([HOST_KEY]);
  const failure = check.failure(new Error('Handshake failed: no matching host key format'));
  expect([failure?.kind, check.isTypeMissing]).toEqual(['host_key_changed', true]);
  expect(
    new HostKeyCheck([]).failure(new Error('Handshake failed: no matching host key format')),
  ).toBeUndefined();
});
