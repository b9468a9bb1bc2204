import type { JsonWebKey, KeyObject } from 'node:crypto';
import { createPrivateKey, sign } from 'node:crypto';
import type { Secret } from '../../../domain/secret.ts';
import { SshReader, sshMpint, sshString, stripLeadingZeros } from '../../../lib/ssh-encoding.ts';

const PEM_ENVELOPE = /^-----BEGIN OPENSSH PRIVATE KEY-----\n([A-Za-z0-9+/=\n]+)\n-----END OPENSSH PRIVATE KEY-----$/;
const MAGIC = 'openssh-key-v1\0';

/** Curve name in SSH and JWK, coordinate size, and hash for signatures. */
const CURVES = [
  { name: 'nistp256', crv: 'P-256', bytes: 32, hash: 'sha256' },
  { name: 'nistp384', crv: 'P-384', bytes: 48, hash: 'sha384' },
  { name: 'nistp521', crv: 'P-521', bytes: 66, hash: 'sha512' },
];

const toBigInt = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex') || '0'}`);
const toBase64Url = (bytes: Buffer) => bytes.toString('base64url');

function bigIntToBytes(number: bigint): Buffer {
  const hex = number.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
}

function ed25519Jwk(fields: SshReader): JsonWebKey {
  const publicKey = fields.string();
  const seed = fields.string().subarray(0, 32);
  return { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(publicKey), d: toBase64Url(seed) };
}

function ecdsaJwk(fields: SshReader): JsonWebKey {
  const name = fields.text();
  const curve = CURVES.find(candidate => candidate.name === name);
  const point = fields.string();
  const secret = stripLeadingZeros(fields.string());
  if (curve === undefined || point.length !== 1 + 2 * curve.bytes) throw new RangeError('unknown curve');
  const { crv, bytes } = curve;
  const d = Buffer.concat([Buffer.alloc(Math.max(0, bytes - secret.length)), secret]);
  const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)];
  return { kty: 'EC', crv, x: toBase64Url(x), y: toBase64Url(y), d: toBase64Url(d) };
}

function rsaJwk(fields: SshReader): JsonWebKey {
  const next = () => stripLeadingZeros(fields.string());
  const [n, e, d, qi, p, q] = [next(), next(), next(), next(), next(), next()];
  // The OpenSSH format omits the derived values.
  const dp = bigIntToBytes(toBigInt(d) % (toBigInt(p) - 1n));
  const dq = bigIntToBytes(toBigInt(d) % (toBigInt(q) - 1n));
  const numbers = Object.entries({ n, e, d, p, q, dp, dq, qi });
  return { kty: 'RSA', ...Object.fromEntries(numbers.map(([name, bytes]) => [name, toBase64Url(bytes)])) };
}

function toJwk(type: string, fields: SshReader): JsonWebKey {
  if (type === 'ssh-ed25519') return ed25519Jwk(fields);
  if (type === 'ssh-rsa') return rsaJwk(fields);
  if (type.startsWith('ecdsa-sha2-')) return ecdsaJwk(fields);
  throw new RangeError('unknown key type');
}

/** Unencrypted OpenSSH format (PROTOCOL.key of OpenSSH), which node:crypto does not support. */
function parseOpenSshKey(text: string): KeyObject {
  const file = Buffer.from(PEM_ENVELOPE.exec(text)?.[1] ?? '', 'base64');
  if (file.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new RangeError('not in OpenSSH format');
  const outer = new SshReader(file.subarray(MAGIC.length));
  if (outer.text() !== 'none') throw new RangeError('the key is encrypted');
  // KDF name, KDF options, number of keys (always one), public key.
  outer.string();
  outer.string();
  outer.uint32();
  outer.string();
  const inner = new SshReader(outer.string());
  const [check, checkCopy] = [inner.uint32(), inner.uint32()];
  if (check !== checkCopy) throw new RangeError('the key is damaged');
  return createPrivateKey({ key: toJwk(inner.text(), inner), format: 'jwk' });
}

export interface SigningKey {
  readonly publicBlob: Buffer;
  /** SSH signature blob; `undefined` if the flags request SHA-1. */
  sign(data: Buffer, flags: number): Buffer | undefined;
}

const RSA_HASHES = [
  { flag: 4, algorithm: 'rsa-sha2-512', hash: 'sha512' },
  { flag: 2, algorithm: 'rsa-sha2-256', hash: 'sha256' },
] as const;

const fromBase64Url = (word: string | undefined) => Buffer.from(word ?? '', 'base64url');

function ed25519Key(key: KeyObject): SigningKey {
  const type = sshString('ssh-ed25519');
  return {
    publicBlob: Buffer.concat([type, sshString(fromBase64Url(key.export({ format: 'jwk' }).x))]),
    sign: data => Buffer.concat([type, sshString(sign(null, data, key))]),
  };
}

function ecdsaKey(key: KeyObject): SigningKey {
  const { crv, x, y } = key.export({ format: 'jwk' });
  const curve = CURVES.find(candidate => candidate.crv === crv);
  if (curve === undefined) throw new RangeError('unsupported curve');
  const type = sshString(`ecdsa-sha2-${curve.name}`);
  const point = Buffer.concat([Buffer.of(4), fromBase64Url(x), fromBase64Url(y)]);
  return {
    publicBlob: Buffer.concat([type, sshString(curve.name), sshString(point)]),
    sign(data) {
      const signature = sign(curve.hash, data, { key, dsaEncoding: 'ieee-p1363' });
      const [r, s] = [signature.subarray(0, signature.length / 2), signature.subarray(signature.length / 2)];
      return Buffer.concat([type, sshString(Buffer.concat([sshMpint(r), sshMpint(s)]))]);
    },
  };
}

function rsaKey(key: KeyObject): SigningKey {
  const { n, e } = key.export({ format: 'jwk' });
  return {
    publicBlob: Buffer.concat([sshString('ssh-rsa'), sshMpint(fromBase64Url(e)), sshMpint(fromBase64Url(n))]),
    sign(data, flags) {
      const chosen = RSA_HASHES.find(({ flag }) => (flags & flag) !== 0);
      return chosen && Buffer.concat([sshString(chosen.algorithm), sshString(sign(chosen.hash, data, key))]);
    },
  };
}

/** Parses a base64 private key in any supported format. Error messages contain no part of the key. */
export function parseSigningKey(base64: Secret): SigningKey {
  const text = Buffer.from(base64.reveal(), 'base64').toString('latin1').replaceAll('\r', '').trim();
  const isOpenSshFormat = text.startsWith('-----BEGIN OPENSSH PRIVATE KEY-----');
  const key = isOpenSshFormat ? parseOpenSshKey(text) : createPrivateKey(text);
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
