import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Secret } from '../../../domain/secret.ts';
import { toOpenSshKey } from './ssh-transport.ts';

const PAIRS = {
  ed25519: generateKeyPairSync('ed25519'),
  'ecdsa on P-256': generateKeyPairSync('ec', { namedCurve: 'prime256v1' }),
  'ecdsa on P-384': generateKeyPairSync('ec', { namedCurve: 'secp384r1' }),
  'ecdsa on P-521': generateKeyPairSync('ec', { namedCurve: 'secp521r1' }),
  rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }),
};
const pkcs8 = (name: keyof typeof PAIRS) => String(PAIRS[name].privateKey.export({ type: 'pkcs8', format: 'pem' }));
const convert = (text: string) => toOpenSshKey(new Secret(Buffer.from(text).toString('base64'))).reveal();

/** The public key that ssh-keygen reads from the file. */
function readPublicKey(text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-openssh-key-'));
  const file = path.join(folder, 'key');
  writeFileSync(file, text, { mode: 0o600 });
  try {
    return execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(Object.keys(PAIRS) as (keyof typeof PAIRS)[])(
  'toOpenSshKey converts %s in PKCS#8 to a key that OpenSSH reads',
  name => {
    const text = convert(pkcs8(name));
    expect(text).toMatch(/^-----BEGIN (OPENSSH|RSA|EC) PRIVATE KEY-----\n/);
    const line = readPublicKey(text);
    const blob = Buffer.from(line.split(' ')[1] ?? '', 'base64');
    // A public key blob ends with the point, or for RSA with the modulus.
    const jwk = PAIRS[name].publicKey.export({ format: 'jwk' });
    const end = Buffer.from(jwk.kty === 'RSA' ? (jwk.n ?? '') : (jwk.y ?? jwk.x ?? ''), 'base64url');
    expect(blob.subarray(-end.length)).toEqual(end);
  },
);

test.each([
  ['with CRLF line endings', (text: string) => text.replaceAll('\n', '\r\n')],
  ['between empty lines', (text: string) => `\n\n${text}\n\n`],
])('toOpenSshKey accepts a key %s', (_label, change) => {
  expect(convert(change(convert(pkcs8('ed25519'))))).toBe(convert(pkcs8('ed25519')));
  expect(convert(change(pkcs8('rsa')))).toBe(convert(pkcs8('rsa')));
});

test('toOpenSshKey keeps a key in OpenSSH format unchanged', () => {
  const text = convert(pkcs8('ecdsa on P-256'));
  expect(convert(text)).toBe(text);
});
