import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { generateKeyPair, validatePrivateKey } from './ssh-keys.ts';

test('a new key pair is one that OpenSSH takes, its halves belonging together', () => {
  const { publicKey, privateKey } = generateKeyPair('hostler');
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-pair-'));
  const file = path.join(folder, 'key');
  writeFileSync(file, privateKey.reveal(), { mode: 0o600 });
  const derived = execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(derived.trim()).toBe(publicKey);
  expect(publicKey).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]+ hostler$/);
});

test('every new key pair has all of its 32 bytes, also where the first is zero', () => {
  const lengths = Array.from({ length: 2000 }, () => generateKeyPair('hostler').publicKey.length);
  expect(new Set(lengths).size).toBe(1);
});

test('a new key pair passes the same check as a key that somebody sends', () => {
  const { privateKey } = generateKeyPair('hostler');
  expect(validatePrivateKey(Buffer.from(privateKey.reveal()).toString('base64'))).toBeUndefined();
});

test('no two key pairs are the same, and the private half does not print', () => {
  const [one, two] = [generateKeyPair('hostler'), generateKeyPair('hostler')];
  expect(one.publicKey).not.toBe(two.publicKey);
  expect(JSON.stringify(one)).not.toContain('PRIVATE KEY');
});
