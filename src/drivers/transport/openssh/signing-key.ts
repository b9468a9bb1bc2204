import type { KeyObject } from 'node:crypto';
import { createPrivateKey, sign } from 'node:crypto';
import type { Secret } from '../../../domain/secret.ts';
import { field, numberField } from '../../../lib/ssh-forms/wire-fields.ts';
import { readOpenSshForm } from './openssh-form.ts';

export interface SigningKey {
  /** The public half as it goes over the wire. */
  readonly publicBlob: Buffer;
  /** As SSH writes a signature; `undefined` where the flags of the request ask for SHA-1. */
  sign(data: Buffer, flags: number): Buffer | undefined;
}

/** As node:crypto calls a curve: what SSH calls it, and the hash that goes with it. */
const CURVES: Readonly<Record<string, { readonly name: string; readonly hash: string }>> = {
  prime256v1: { name: 'nistp256', hash: 'sha256' },
  secp384r1: { name: 'nistp384', hash: 'sha384' },
  secp521r1: { name: 'nistp521', hash: 'sha512' },
};

/** What the flags of a request mean for an RSA key, the better one first. */
const RSA_HASHES = [
  { flag: 4, algorithm: 'rsa-sha2-512', hash: 'sha512' },
  { flag: 2, algorithm: 'rsa-sha2-256', hash: 'sha256' },
] as const;

const bytesOf = (word: string | undefined) => Buffer.from(word ?? '', 'base64url');

function ed25519Key(key: KeyObject): SigningKey {
  const type = field('ssh-ed25519');
  return {
    publicBlob: Buffer.concat([type, field(bytesOf(key.export({ format: 'jwk' }).x))]),
    sign: data => Buffer.concat([type, field(sign(null, data, key))]),
  };
}

function ecdsaKey(key: KeyObject): SigningKey {
  const curve = CURVES[key.asymmetricKeyDetails?.namedCurve ?? ''];
  if (curve === undefined) throw new RangeError('unsupported curve');
  const { x, y } = key.export({ format: 'jwk' });
  const type = field(`ecdsa-sha2-${curve.name}`);
  const point = Buffer.concat([Buffer.of(4), bytesOf(x), bytesOf(y)]);
  return {
    publicBlob: Buffer.concat([type, field(curve.name), field(point)]),
    sign(data) {
      const both = sign(curve.hash, data, { key, dsaEncoding: 'ieee-p1363' });
      const [r, s] = [both.subarray(0, both.length / 2), both.subarray(both.length / 2)];
      return Buffer.concat([type, field(Buffer.concat([numberField(r), numberField(s)]))]);
    },
  };
}

function rsaKey(key: KeyObject): SigningKey {
  const { n, e } = key.export({ format: 'jwk' });
  return {
    publicBlob: Buffer.concat([field('ssh-rsa'), numberField(bytesOf(e)), numberField(bytesOf(n))]),
    sign(data, flags) {
      const chosen = RSA_HASHES.find(({ flag }) => (flags & flag) !== 0);
      return chosen && Buffer.concat([field(chosen.algorithm), field(sign(chosen.hash, data, key))]);
    },
  };
}

/** A private key, base64 of any form that we take. Throws on what is none; what it says then has nothing of the key. */
export function signingKey(base64: Secret): SigningKey {
  const text = Buffer.from(base64.reveal(), 'base64').toString('latin1').replaceAll('\r', '').trim();
  const isOwnForm = text.startsWith('-----BEGIN OPENSSH PRIVATE KEY-----');
  const key = isOwnForm ? readOpenSshForm(text) : createPrivateKey(text);
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      return ed25519Key(key);
    case 'ec':
      return ecdsaKey(key);
    case 'rsa':
      return rsaKey(key);
    default:
      throw new RangeError('unsupported key type');
  }
}
