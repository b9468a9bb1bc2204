// Whether a private key can be used to log in. The proof is a signature made with it and verified with its public half.

import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import ssh2 from 'ssh2';

const PROBE = Buffer.from('hostler');

/** OpenSSH refuses shorter RSA keys (`RequiredRSASize`). */
const MIN_RSA_BITS = 1024;
const EC_CURVES = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/** PKCS#8, and the PEM forms of RSA and ECDSA keys. */
function checkPem(text: string): string | undefined {
  if (text.includes('ENCRYPTED')) return 'is encrypted; send it without a passphrase';
  const key = createPrivateKey(text);
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'ed25519':
      break;
    case 'rsa':
      if ((modulusLength ?? 0) < MIN_RSA_BITS) return `is an RSA key of less than ${MIN_RSA_BITS} bits`;
      break;
    case 'ec':
      if (!EC_CURVES.has(namedCurve ?? '')) return `is on the curve ${namedCurve}, which SSH does not know`;
      break;
    default:
      return `is of type ${key.asymmetricKeyType}; SSH needs ed25519, ECDSA or RSA`;
  }
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  const isConsistent = verify(hash, PROBE, createPublicKey(key), sign(hash, PROBE, key));
  return isConsistent ? undefined : 'is damaged: its halves do not belong together';
}

function checkOpenSsh(text: string): string | undefined {
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error) {
    return /encrypted/i.test(key.message) ? 'is encrypted; send it without a passphrase' : 'is damaged';
  }
  if (!key.isPrivateKey()) return 'is a public key; the private one is needed';
  if (!/^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521))$/.test(key.type)) {
    return `is of type ${key.type}; ed25519, ECDSA or RSA is needed`;
  }
  const isRsa = key.type === 'ssh-rsa';
  const bits = isRsa ? createPublicKey(key.getPublicPEM()).asymmetricKeyDetails?.modulusLength : undefined;
  if (bits !== undefined && bits < MIN_RSA_BITS) return `is an RSA key of less than ${MIN_RSA_BITS} bits`;
  const signature = key.sign(PROBE, ...(isRsa ? ['sha256'] : []));
  const isConsistent = key.verify(PROBE, signature, ...(isRsa ? ['sha256'] : [])) === true;
  return isConsistent ? undefined : 'is damaged: its halves do not belong together';
}

/** `undefined` for a key that can be used; else what is wrong with it, never a part of it. */
export function privateKeyProblem(base64: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0)
    return 'is not base64 without newlines';
  const text = Buffer.from(base64, 'base64').toString('latin1');
  if (/^(ssh|ecdsa)-\S+ /.test(text)) return 'is a public key; the private one is needed';
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text))
    return 'is no private key in OpenSSH, PKCS#8 or PEM form';
  try {
    return text.includes('-----BEGIN OPENSSH PRIVATE KEY-----') ? checkOpenSsh(text) : checkPem(text);
  } catch {
    return 'is damaged';
  }
}
