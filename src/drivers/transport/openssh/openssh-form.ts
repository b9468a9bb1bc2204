import type { JsonWebKey, KeyObject } from 'node:crypto';
import { createPrivateKey } from 'node:crypto';
import { FieldReader, unsigned } from '../../../lib/ssh-forms/wire-fields.ts';

const ARMOUR =
  /^-----BEGIN OPENSSH PRIVATE KEY-----\n([A-Za-z0-9+/=\n]+)\n-----END OPENSSH PRIVATE KEY-----$/;
const MAGIC = 'openssh-key-v1\0';

/** A curve as SSH and as web keys call it, and the bytes of a number on it. */
const CURVES: Readonly<Record<string, { readonly crv: string; readonly bytes: number }>> = {
  nistp256: { crv: 'P-256', bytes: 32 },
  nistp384: { crv: 'P-384', bytes: 48 },
  nistp521: { crv: 'P-521', bytes: 66 },
};

const integer = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex') || '0'}`);
const word = (bytes: Buffer) => bytes.toString('base64url');

function wordOf(number: bigint): string {
  const hex = number.toString(16);
  return word(Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'));
}

function ed25519(fields: FieldReader): JsonWebKey {
  const half = fields.field();
  const seed = fields.field().subarray(0, 32);
  return { kty: 'OKP', crv: 'Ed25519', x: word(half), d: word(seed) };
}

function ecdsa(fields: FieldReader): JsonWebKey {
  const curve = CURVES[fields.text()];
  const point = fields.field();
  const secret = unsigned(fields.field());
  if (curve === undefined || point.length !== 1 + 2 * curve.bytes) throw new RangeError('unknown curve');
  const { crv, bytes } = curve;
  const d = Buffer.concat([Buffer.alloc(Math.max(0, bytes - secret.length)), secret]);
  const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)];
  return { kty: 'EC', crv, x: word(x), y: word(y), d: word(d) };
}

function rsa(fields: FieldReader): JsonWebKey {
  const next = () => unsigned(fields.field());
  const [n, e, d, qi, p, q] = [next(), next(), next(), next(), next(), next()];
  // The form leaves out what follows from the others.
  const dp = wordOf(integer(d) % (integer(p) - 1n));
  const dq = wordOf(integer(d) % (integer(q) - 1n));
  return { kty: 'RSA', n: word(n), e: word(e), d: word(d), p: word(p), q: word(q), dp, dq, qi: word(qi) };
}

function webKey(type: string, fields: FieldReader): JsonWebKey {
  if (type === 'ssh-ed25519') return ed25519(fields);
  if (type === 'ssh-rsa') return rsa(fields);
  if (type.startsWith('ecdsa-sha2-')) return ecdsa(fields);
  throw new RangeError('unknown key type');
}

/** Reads a key in OpenSSH's own form, unencrypted, which node:crypto cannot: see PROTOCOL.key of OpenSSH. Throws on anything else. */
export function readOpenSshForm(text: string): KeyObject {
  const file = Buffer.from(ARMOUR.exec(text)?.[1] ?? '', 'base64');
  if (file.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new RangeError('not in OpenSSH format');
  const outside = new FieldReader(file.subarray(MAGIC.length));
  if (outside.text() !== 'none') throw new RangeError('the key is encrypted');
  // How it would be encrypted, how many keys there are (always one), and the public half.
  outside.field();
  outside.field();
  outside.uint32();
  outside.field();
  const inside = new FieldReader(outside.field());
  const [check, again] = [inside.uint32(), inside.uint32()];
  if (check !== again) throw new RangeError('the key is damaged');
  return createPrivateKey({ key: webKey(inside.text(), inside), format: 'jwk' });
}
