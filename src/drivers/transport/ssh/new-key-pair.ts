import ssh2 from 'ssh2';
import { Secret } from '../../../domain/secret.ts';

export interface KeyPair {
  /** As in `authorized_keys`. */
  readonly publicKey: string;
  /** In OpenSSH's form. */
  readonly privateKey: Secret;
}

/** An ed25519 key that is new in the world. */
export function newKeyPair(comment: string): KeyPair {
  const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment });
  return { publicKey: pair.public, privateKey: new Secret(pair.private) };
}
