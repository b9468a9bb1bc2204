import type { KeyObject } from 'node:crypto';
import { createPrivateKey } from 'node:crypto';

// The encoding of SSH packets, key files and agent messages: RFC 4251, section 5.

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const sshString = (bytes: Buffer | string): Buffer =>
  Buffer.concat([uint32(Buffer.byteLength(bytes)), Buffer.from(bytes)]);

export function stripLeadingZeros(bytes: Buffer): Buffer {
  const first = bytes.findIndex(byte => byte !== 0);
  return first < 0 ? Buffer.alloc(0) : bytes.subarray(first);
}

/** A non-negative number. A zero byte is prepended if the first bit is set, because it would be the sign. */
export function sshMpint(bytes: Buffer): Buffer {
  const digits = stripLeadingZeros(bytes);
  return sshString((digits[0] ?? 0) < 0x80 ? digits : Buffer.concat([Buffer.alloc(1), digits]));
}

/** Throws a `RangeError` if the data ends too early. */
export class SshReader {
  #remaining: Buffer;

  constructor(bytes: Buffer) {
    this.#remaining = bytes;
  }

  byte(): number {
    return this.#read(1).readUInt8();
  }

  uint32(): number {
    return this.#read(4).readUInt32BE();
  }

  string(): Buffer {
    return this.#read(this.uint32());
  }

  text(): string {
    return this.string().toString('latin1');
  }

  #read(length: number): Buffer {
    if (length > this.#remaining.length) throw new RangeError('unexpected end of data');
    const chunk = this.#remaining.subarray(0, length);
    this.#remaining = this.#remaining.subarray(length);
    return chunk;
  }
}

/** An unencrypted ed25519 key in the OpenSSH format: see PROTOCOL.key of OpenSSH. */
export function encodeOpenSshKey(key: KeyObject, comment = ''): string {
  const jwk = key.export({ format: 'jwk' });
  const [publicKey, seed] = [Buffer.from(jwk.x ?? '', 'base64url'), Buffer.from(jwk.d ?? '', 'base64url')];
  const publicBlob = Buffer.concat([sshString('ssh-ed25519'), sshString(publicKey)]);
  const check = uint32(0);
  const privateFields = [check, check, publicBlob, sshString(Buffer.concat([seed, publicKey])), sshString(comment)];
  const length = privateFields.reduce((sum, { length: bytes }) => sum + bytes, 0);
  // Padded with 1, 2, 3, … to 8, the block length of the cipher `none`.
  const padding = Buffer.from(Array.from({ length: (8 - (length % 8)) % 8 }, (_, index) => index + 1));
  const file = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    sshString('none'),
    sshString('none'),
    sshString(''),
    uint32(1),
    sshString(publicBlob),
    sshString(Buffer.concat([...privateFields, padding])),
  ]);
  const lines = file.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}

/** Many SSH programs do not support PKCS#8. */
export function toSshKeyText(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString('latin1').replaceAll('\r', '').trim();
  if (!text.startsWith('-----BEGIN PRIVATE KEY-----')) return `${text}\n`;
  const key = createPrivateKey(text);
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return String(key.export({ type: 'pkcs1', format: 'pem' }));
    case 'ec':
      return String(key.export({ type: 'sec1', format: 'pem' }));
    case 'ed25519':
      return encodeOpenSshKey(key);
    default:
      throw new Error(`SSH does not support keys of the type ${key.asymmetricKeyType}`);
  }
}
