// Programs that speak SSH read a private key in OpenSSH's own form, and in the older PEM forms of RSA and ECDSA; PKCS#8 they refuse, or
// read in part. So that form is turned into one of the others.

import type { KeyObject } from 'node:crypto';
import { createPrivateKey } from 'node:crypto';
import { field, uint32 } from './wire-fields.ts';

/** An ed25519 key in OpenSSH's form, unencrypted: see PROTOCOL.key of OpenSSH. */
export function openSshForm(key: KeyObject, comment = ''): string {
  const jwk = key.export({ format: 'jwk' });
  const [half, seed] = [Buffer.from(jwk.x ?? '', 'base64url'), Buffer.from(jwk.d ?? '', 'base64url')];
  const publicHalf = Buffer.concat([field('ssh-ed25519'), field(half)]);
  const check = uint32(0);
  const inside = [check, check, publicHalf, field(Buffer.concat([seed, half])), field(comment)];
  const length = inside.reduce((sum, { length: bytes }) => sum + bytes, 0);
  // Filled up with 1, 2, 3, … to the block length of no cipher, 8.
  const padding = Buffer.from(Array.from({ length: (8 - (length % 8)) % 8 }, (_, index) => index + 1));
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    ...[field('none'), field('none'), field(''), uint32(1)],
    ...[field(publicHalf), field(Buffer.concat([...inside, padding]))],
  ]);
  const lines = file.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join(
    '\n',
  );
}

/** A private key, base64 of any form that we take, as a text that every SSH program reads. */
export function readableKeyText(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('latin1').replaceAll('\r', '').trim();
  if (!text.startsWith('-----BEGIN PRIVATE KEY-----')) return `${text}\n`;
  const key = createPrivateKey(text);
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return String(key.export({ type: 'pkcs1', format: 'pem' }));
    case 'ec':
      return String(key.export({ type: 'sec1', format: 'pem' }));
    case 'ed25519':
      return openSshForm(key);
    default:
      throw new Error(`SSH does not support keys of the type ${key.asymmetricKeyType}`);
  }
}
