import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { areSameHostKeys, hostKeyFingerprint, hostKeyType, isHostKey, stripKeyComment } from './host-key.ts';

const part = (bytes: Buffer | string) => {
  const content = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, content]);
};
const blob = (type: string, bytes = 32) => Buffer.concat([part(type), part(Buffer.alloc(bytes, 7))]).toString('base64');
const ED25519 = blob('ssh-ed25519');

test.each([
  ['without a comment', `ssh-ed25519 ${ED25519}`],
  ['with a comment', `ssh-ed25519 ${ED25519} root@host with spaces`],
  ['of another type', `ecdsa-sha2-nistp256 ${blob('ecdsa-sha2-nistp256')}`],
])('isHostKey accepts a key %s', (_what, line) => {
  expect(isHostKey(line)).toBe(true);
});

test.each([
  ['an empty line', ''],
  ['no blob', 'ssh-ed25519'],
  ['a blob that is too short', 'ssh-ed25519 AAAA'],
  ['a blob of another type', `ssh-rsa ${ED25519}`],
  ['an unknown type', `ssh-dss ${blob('ssh-dss')}`],
  ['invalid base64', 'ssh-ed25519 ????'],
  ['base64 with non-zero padding bits', `ssh-ed25519 ${blob('ssh-ed25519', 33).replace('w==', 'x==')}`],
  ['two lines', `ssh-ed25519 ${ED25519}\nssh-ed25519 ${ED25519}`],
  ['a NUL byte in the comment', `ssh-ed25519 ${ED25519} a\0b`],
  ['only the type in the blob', `ssh-ed25519 ${part('ssh-ed25519').toString('base64')}`],
])('isHostKey rejects %s', (_what, line) => {
  expect(isHostKey(line)).toBe(false);
});

test('stripKeyComment returns the key without its comment', () => {
  expect(stripKeyComment(`ssh-ed25519 ${ED25519} root@host with spaces`)).toBe(`ssh-ed25519 ${ED25519}`);
  expect(stripKeyComment(`ssh-ed25519 ${ED25519}`)).toBe(`ssh-ed25519 ${ED25519}`);
});

test.each([
  ['ed25519', [], 'ssh-ed25519'],
  ['ecdsa', ['-b', '384'], 'ecdsa-sha2-nistp384'],
  ['rsa', ['-b', '2048'], 'ssh-rsa'],
])('hostKeyFingerprint of an %s key equals the fingerprint of ssh-keygen', (kind, options, type) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-host-key-'));
  try {
    const file = path.join(folder, 'key');
    execFileSync('ssh-keygen', ['-q', '-t', kind, ...options, '-N', '', '-C', 'root@host', '-f', file]);
    const printed = execFileSync('ssh-keygen', ['-l', '-f', `${file}.pub`], { encoding: 'utf8' });
    const line = readFileSync(`${file}.pub`, 'utf8').trim();
    expect(printed.split(' ')[1]).toBe(hostKeyFingerprint(line));
    expect(hostKeyFingerprint(line.replace(' root@host', ''))).toBe(hostKeyFingerprint(line));
    expect(hostKeyType(line)).toBe(type);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const RSA = blob('ssh-rsa', 256);

test.each([
  [[], [], true],
  [[`ssh-ed25519 ${ED25519} root@host`], [`ssh-ed25519 ${ED25519}`], true],
  [[`ssh-rsa ${RSA}`, `ssh-ed25519 ${ED25519}`], [`ssh-ed25519 ${ED25519}`, `ssh-rsa ${RSA}`], true],
  [[`ssh-ed25519 ${ED25519}`], [], false],
  [[`ssh-ed25519 ${ED25519}`], [`ssh-ed25519 ${ED25519}`, `ssh-rsa ${RSA}`], false],
  [[`ssh-rsa ${RSA}`], [`ssh-ed25519 ${ED25519}`], false],
])('areSameHostKeys ignores order and comments (%#)', (some, others, expected) => {
  expect(areSameHostKeys(some, others)).toBe(expected);
});
