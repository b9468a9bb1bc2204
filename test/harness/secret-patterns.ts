// Byte patterns that find a leaked secret in any common encoding.

import { createPrivateKey } from 'node:crypto';

export interface SecretPattern {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The part of the base64 text that does not depend on the position of the bytes in the encoded data. */
function base64Fragments(bytes: Buffer): readonly string[] {
  return [0, 1, 2].map(offset => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const end = Math.floor(padded.length / 3) * 4;
    return padded.toString('base64').slice(offset === 0 ? 0 : 4, end);
  });
}

const urlAlphabet = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_');

export function secretPatterns(name: string, secret: Buffer): readonly SecretPattern[] {
  const fragments = base64Fragments(secret);
  const encodings = [
    secret.toString('latin1'),
    secret.toString('hex'),
    secret.toString('hex').toUpperCase(),
    ...fragments,
    ...fragments.map(urlAlphabet),
    // Base64 of base64.
    ...fragments.flatMap(fragment => base64Fragments(Buffer.from(fragment))),
  ];
  return encodings.map(encoding => ({ name, bytes: Buffer.from(encoding, 'latin1') }));
}

const SEED_BYTES = 32;

/** The secret part of an ed25519 key in PEM; the bytes before it are the same in all keys. */
export const extractPemSeed = (pem: string): Buffer =>
  createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }).subarray(-SEED_BYTES);

/** The same for the OpenSSH format, where it precedes the second copy of the public key. */
export function extractOpenSshSeed(text: string, publicLine: string): Buffer {
  const body = Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const publicHalf = Buffer.from(publicLine.split(' ')[1] ?? '', 'base64').subarray(-SEED_BYTES);
  const at = body.lastIndexOf(publicHalf);
  if (at < SEED_BYTES) throw new Error('not an ed25519 key of OpenSSH');
  return body.subarray(at - SEED_BYTES, at);
}
