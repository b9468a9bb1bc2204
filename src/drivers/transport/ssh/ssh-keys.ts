// Checks whether a private key is complete and usable for a login. To prove that private and public part match, a
// signature is verified, or for RSA the numbers are checked, because OpenSSL signs correctly with inconsistent RSA
// numbers.

import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import type { ParsedKey } from 'ssh2';
import ssh2 from 'ssh2';
import { Secret } from '../../../domain/secret.ts';
import { encodeOpenSshKey, sshString } from '../../../lib/ssh-encoding.ts';

const PROBE = Buffer.from('hostler');

const MAX_BASE64_LENGTH = 65_536;
/** OpenSSH rejects shorter RSA keys (`RequiredRSASize`). */
const MIN_RSA_BITS = 1024;
/** Signing with a longer key would block the event loop: 16384 bits take a second on a slow machine. */
const MAX_RSA_BITS = 8192;
const EC_CURVES = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

const ENCRYPTED = 'is encrypted; use a key without a passphrase';
const PUBLIC = 'is a public key; use the private key';
const DAMAGED = 'is damaged';
const MISMATCHED = 'is damaged: the private and public parts do not match';

const OPENSSH_HEADER = '-----BEGIN OPENSSH PRIVATE KEY-----';
/** Bytes before the public key in an unencrypted OpenSSH key: magic, cipher, KDF, number of keys, length. */
const OPENSSH_PREFIX_BYTES = 43;

function checkRsa(key: KeyObject): string | undefined {
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (bits < MIN_RSA_BITS) return `is an RSA key with fewer than ${MIN_RSA_BITS} bits`;
  if (bits > MAX_RSA_BITS) return `is an RSA key with more than ${MAX_RSA_BITS} bits`;
  const jwk = key.export({ format: 'jwk' });
  const number = (name: 'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi') =>
    BigInt(`0x${Buffer.from(jwk[name] ?? '', 'base64url').toString('hex')}`);
  const [e, d, p, q] = [number('e'), number('d'), number('p'), number('q')];
  const isConsistent =
    p * q === number('n') &&
    (d * e) % (p - 1n) === 1n &&
    (d * e) % (q - 1n) === 1n &&
    d % (p - 1n) === number('dp') &&
    d % (q - 1n) === number('dq') &&
    (q * number('qi')) % p === 1n;
  return isConsistent ? undefined : MISMATCHED;
}

/** PKCS#8, and PEM for RSA and ECDSA keys. */
function checkPem(text: string): string | undefined {
  if (text.includes('ENCRYPTED')) return ENCRYPTED;
  const key = createPrivateKey(text);
  const { namedCurve } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return checkRsa(key);
    case 'ed25519':
      break;
    case 'ec':
      if (!EC_CURVES.has(namedCurve ?? '')) return `uses the curve ${namedCurve}, which SSH does not support`;
      break;
    default:
      return `has the type ${key.asymmetricKeyType}; use ed25519, ECDSA or RSA`;
  }
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const isMatchingPair = verify(hash, PROBE, createPublicKey(key), sign(hash, PROBE, key));
  return isMatchingPair ? undefined : MISMATCHED;
}

/** The file contains the public key several times, and ssh2 checks only one copy. */
function publicKeyCopiesMatch(key: ParsedKey, text: string): boolean {
  const file = Buffer.from(text.replace(/-----[A-Z ]+-----/g, ''), 'base64');
  const publicKey = key.getPublicSSH();
  const containsAt = (offset: number, bytes: Buffer) => file.subarray(offset, offset + bytes.length).equals(bytes);
  // The inner copy follows a length and two check numbers. For RSA the order of the numbers differs there, and checkRsa
  // has checked them.
  const innerOffset = OPENSSH_PREFIX_BYTES + publicKey.length + 12;
  return (
    containsAt(OPENSSH_PREFIX_BYTES, publicKey) &&
    (key.type === 'ssh-rsa' || containsAt(innerOffset, publicKey)) &&
    // A length and the 32 bytes of the private key precede the third copy.
    (key.type !== 'ssh-ed25519' || containsAt(innerOffset + publicKey.length + 36, publicKey.subarray(-32)))
  );
}

function checkOpenSsh(text: string): string | undefined {
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error) {
    if (/encrypted/i.test(key.message)) return ENCRYPTED;
    return /key type/.test(key.message) ? 'has an unsupported type; use ed25519, ECDSA or RSA' : DAMAGED;
  }
  if (!/^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521))$/.test(key.type)) {
    return `has the type ${key.type}; use ed25519, ECDSA or RSA`;
  }
  const problem = key.type === 'ssh-rsa' ? checkRsa(createPrivateKey(key.getPrivatePEM())) : undefined;
  if (problem !== undefined) return problem;
  const isMatchingPair = key.type === 'ssh-rsa' || key.verify(PROBE, key.sign(PROBE)) === true;
  return isMatchingPair && publicKeyCopiesMatch(key, text) ? undefined : MISMATCHED;
}

export function validatePrivateKey(base64: string): string | undefined {
  if (base64.length > MAX_BASE64_LENGTH) return 'is too long for a private key';
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return 'is not base64 without newlines';
  const text = Buffer.from(base64, 'base64').toString('latin1').trim();
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    const isPublic = /^(ssh|ecdsa)-\S+ |-----BEGIN [A-Z ]*PUBLIC KEY-----/.test(text);
    return isPublic ? PUBLIC : 'is not a private key in OpenSSH, PKCS#8 or PEM format';
  }
  try {
    return text.startsWith(OPENSSH_HEADER) ? checkOpenSsh(text) : checkPem(text);
  } catch {
    return DAMAGED;
  }
}

export interface KeyPair {
  readonly publicKey: string;
  readonly privateKey: Secret;
}

/** Generates an ed25519 key. Does not use ssh2, which omits a leading zero byte in one of 256 keys. */
export function generateKeyPair(comment: string): KeyPair {
  const pair = generateKeyPairSync('ed25519');
  const publicBytes = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const blob = Buffer.concat([sshString('ssh-ed25519'), sshString(publicBytes)]);
  return {
    publicKey: `ssh-ed25519 ${blob.toString('base64')} ${comment}`,
    privateKey: new Secret(encodeOpenSshKey(pair.privateKey, comment)),
  };
}
