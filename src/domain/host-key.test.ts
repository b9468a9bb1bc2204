import { expect, test } from 'vitest';
import { isHostKey } from './host-key.ts';

const part = (bytes: Buffer | string) => {
  const content = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};
const blob = (type: string, bytes = 32) =>
  Buffer.concat([part(type), part(Buffer.alloc(bytes, 7))]).toString('base64');
const ED25519 = blob('ssh-ed25519');

test.each([
  ['without a comment', `ssh-ed25519 ${ED25519}`],
  ['with a comment', `ssh-ed25519 ${ED25519} root@host with spaces`],
  ['of another type', `ecdsa-sha2-nistp256 ${blob('ecdsa-sha2-nistp256')}`],
])('a host key %s is one', (_what, line) => {
  expect(isHostKey(line)).toBe(true);
});

test.each([
  ['nothing', ''],
  ['no blob', 'ssh-ed25519'],
  ['a blob that is too short', 'ssh-ed25519 AAAA'],
  ['a blob of another type', `ssh-rsa ${ED25519}`],
  ['an unknown type', `ssh-dss ${blob('ssh-dss')}`],
  ['no base64', 'ssh-ed25519 ????'],
  ['base64 with bits left over', `ssh-ed25519 ${blob('ssh-ed25519', 33).replace('w==', 'x==')}`],
  ['two lines', `ssh-ed25519 ${ED25519}\nssh-ed25519 ${ED25519}`],
  ['a zero byte in the comment', `ssh-ed25519 ${ED25519} a\0b`],
  ['only the type in the blob', `ssh-ed25519 ${part('ssh-ed25519').toString('base64')}`],
])('%s is no host key', (_what, line) => {
  expect(isHostKey(line)).toBe(false);
});
