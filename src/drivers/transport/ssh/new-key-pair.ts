import { generateKeyPairSync } from 'node:crypto';
import { Secret } from '../../../domain/secret.ts';
import { openSshForm } from '../../../lib/ssh-forms/readable-key-text.ts';
import { field } from '../../../lib/ssh-forms/wire-fields.ts';

export interface KeyPair {
  /** As in `authorized_keys`. */
  readonly publicKey: string;
  /** In OpenSSH's form. */
  readonly privateKey: Secret;
}

/** An ed25519 key that is new in the world. Not by the library: of 256 keys it writes one without its first byte, which is zero. */
export function newKeyPair(comment: string): KeyPair {
  const pair = generateKeyPairSync('ed25519');
  const half = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const blob = Buffer.concat([field('ssh-ed25519'), field(half)]);
  return {
    publicKey: `ssh-ed25519 ${blob.toString('base64')} ${comment}`,
    privateKey: new Secret(openSshForm(pair.privateKey, comment)),
  };
}
