import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { generateKeyPair, validatePrivateKey } from './ssh-keys.ts';

test('generateKeyPair returns a matching pair that OpenSSH accepts', () => {
  const { publicKey, privateKey } = generateKeyPair('hostler');
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-pair-'));
  const file = path.join(folder, 'key');
  writeFileSync(file, privateKey.reveal(), { mode: 0o600 });
  const derived = execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(derived.trim()).toBe(publicKey);
  expect(publicKey).toMatch(/^ssh-ed25519 [A-Za-z0-9+/=]+ hostler$/);
});

test('generateKeyPair keeps leading zero bytes', () => {
  const lengths = Array.from({ length: 2000 }, () => generateKeyPair('hostler').publicKey.length);
  expect(new Set(lengths).size).toBe(1);
});

test('generateKeyPair returns a key that validatePrivateKey accepts', () => {
  const { privateKey } = generateKeyPair('hostler');
  expect(validatePrivateKey(Buffer.from(privateKey.reveal()).toString('base64'))).toBeUndefined();
});

test('generateKeyPair returns unique pairs and hides the private key in JSON', () => {
  const [first, second] = [generateKeyPair('hostler'), generateKeyPair('hostler')];
  expect(first.publicKey).not.toBe(second.publicKey);
  expect(JSON.stringify(first)).not.toContain('PRIVATE KEY');
});
