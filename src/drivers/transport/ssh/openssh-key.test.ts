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
const pkcs8 = (name: keyof typeof PAIRS) =>
  String(PAIRS[name].privateKey.export({ type: 'pkcs8', format: 'pem' }));
const readable = (text: string) => toOpenSshKey(new Secret(Buffer.from(text).toString('base64'))).reveal();

/** The public half, as OpenSSH's own tools read it from the file. */
function publicHalf(text: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-readable-'));
  const file = path.join(folder, 'key');
  writeFileSync(file, text, { mode: 0o600 });
  try {
    return execFileSync('ssh-keygen', ['-y', '-f', file], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(Object.keys(PAIRS) as (keyof typeof PAIRS)[])(
  '%s as PKCS#8 becomes a key that OpenSSH reads',
  name => {
    const text = readable(pkcs8(name));
    expect(text).toMatch(/^-----BEGIN (OPENSSH|RSA|EC) PRIVATE KEY-----\n/);
    const line = publicHalf(text);
    const blob = Buffer.from(line.split(' ')[1] ?? '', 'base64');
    // A public key ends with what tells it from all others of its kind; RSA has its modulus there.
    const jwk = PAIRS[name].publicKey.export({ format: 'jwk' });
    const end = Buffer.from(jwk.kty === 'RSA' ? (jwk.n ?? '') : (jwk.y ?? jwk.x ?? ''), 'base64url');
    expect(blob.subarray(-end.length)).toEqual(end);
  },
);

test.each([
  ['with lines that end as on Windows', (text: string) => text.replaceAll('\n', '\r\n')],
  ['between empty lines', (text: string) => `\n\n${text}\n\n`],
])('a key %s is read all the same', (_how, change) => {
  expect(readable(change(readable(pkcs8('ed25519'))))).toBe(readable(pkcs8('ed25519')));
  expect(readable(change(pkcs8('rsa')))).toBe(readable(pkcs8('rsa')));
});

test('a key that is readable as it is stays as it is', () => {
  const text = readable(pkcs8('ecdsa on P-256'));
  expect(readable(text)).toBe(text);
});
