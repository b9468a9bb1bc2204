import { execFileSync } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { validatePrivateKey } from './ssh-keys.ts';

/** Modular inverse (extended Euclidean algorithm). */
function inverse(number: bigint, modulus: bigint): bigint {
  let [rest, nextRest, factor, nextFactor] = [modulus, number % modulus, 0n, 1n];
  while (nextRest !== 0n) {
    const quotient = rest / nextRest;
    [rest, nextRest] = [nextRest, rest - quotient * nextRest];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return ((factor % modulus) + modulus) % modulus;
}

/** RSA key with these primes. Mersenne primes give large keys without a search. */
function rsaOf(p: bigint, q: bigint): KeyObject {
  const e = 65_537n;
  const d = inverse(e, (p - 1n) * (q - 1n));
  const encoded = (number: bigint) => {
    const hex = number.toString(16);
    return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
  };
  const parts = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const jwk = Object.fromEntries(Object.entries(parts).map(([name, number]) => [name, encoded(number)]));
  return createPrivateKey({ key: { kty: 'RSA', ...jwk }, format: 'jwk' });
}

const folder = mkdtempSync(path.join(tmpdir(), 'hostler-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));
const keygen = (...args: string[]) => execFileSync('ssh-keygen', ['-q', ...args], { stdio: 'pipe' });

const KEY_TYPES = [
  ['ed25519', []],
  ['ecdsa', ['-b', '256']],
  ['ecdsa', ['-b', '384']],
  ['ecdsa', ['-b', '521']],
  ['rsa', ['-b', '2048']],
] as const;
const FORMATS = ['RFC4716', 'PEM', 'PKCS8'] as const;

interface Sample {
  readonly name: string;
  readonly text: string;
  readonly encrypted: string;
  readonly publicText: string;
  /** Public key of another key of the same type. */
  readonly otherPublicText: string;
}

/** Converts the key to a format; ssh-keygen calls the OpenSSH format `RFC4716`. */
function convertFormat(file: string, form: string, passphrase: string): string {
  const copy = path.join(folder, `copy-${randomBytes(6).toString('hex')}`);
  copyFileSync(file, copy);
  // One round of key derivation instead of 16 or more.
  keygen('-p', '-a', '1', '-m', form, '-P', '', '-N', passphrase, '-f', copy);
  return readFileSync(copy, 'latin1');
}

const samples = KEY_TYPES.flatMap(([type, size]): Sample[] => {
  const files = ['first', 'second'].map(suffix => path.join(folder, `${type}${size.join('')}-${suffix}`));
  for (const file of files) keygen('-t', type, ...size, '-N', '', '-C', '', '-f', file);
  const [file = '', other = ''] = files;
  return FORMATS.map(form => ({
    name: `${type} ${size[1] ?? ''} ${form}`,
    text: convertFormat(file, form, ''),
    encrypted: convertFormat(file, form, 'passphrase'),
    publicText: readFileSync(`${file}.pub`, 'latin1'),
    otherPublicText: readFileSync(`${other}.pub`, 'latin1'),
  }));
});

const base64 = (text: string | Buffer) => Buffer.from(text.toString('latin1'), 'latin1').toString('base64');
const pem = (key: { export(options: { type: 'pkcs8'; format: 'pem' }): string | Buffer }) =>
  String(key.export({ type: 'pkcs8', format: 'pem' }));

/** Changes the decoded bytes. */
function changeBytes(text: string, change: (bytes: Buffer) => Buffer): string {
  const [header = '', ...rest] = text.trim().split('\n');
  const footer = rest.pop() ?? '';
  const body = change(Buffer.from(rest.join(''), 'base64')).toString('base64');
  return [header, ...(body.match(/.{1,64}/g) ?? []), footer, ''].join('\n');
}

const flipBit = (text: string, offset: number) =>
  changeBytes(text, bytes => {
    bytes.writeUInt8(bytes.readUInt8(offset) ^ 1, offset);
    return bytes;
  });

/** The point or modulus at the end of an OpenSSH public key. */
function publicNumber(publicText: string): string {
  const blob = Buffer.from(publicText.split(' ')[1] ?? '', 'base64');
  let offset = 0;
  while (offset + 4 + blob.readUInt32BE(offset) < blob.length) offset += 4 + blob.readUInt32BE(offset);
  return blob.subarray(offset + 4).toString('latin1');
}

function numbersOf(text: string): string | undefined {
  try {
    return JSON.stringify(createPrivateKey(text).export({ format: 'jwk' }));
  } catch {
    return undefined;
  }
}

/** Returns a part of the key with eight or more characters that the message repeats. */
function findLeak(message: string, text: string): string | undefined {
  const body = text.replace(/-----[A-Z ]+-----/g, '');
  const parts = Array.from({ length: message.length - 7 }, (_, offset) => message.slice(offset, offset + 8));
  return parts.find(part => body.includes(part) || base64(text).includes(part));
}

describe.each(samples)('validatePrivateKey for $name', sample => {
  test('accepts an unencrypted key', () => {
    expect(validatePrivateKey(base64(sample.text))).toBeUndefined();
  });

  test('accepts CRLF line endings', () => {
    expect(validatePrivateKey(base64(sample.text.replaceAll('\n', '\r\n')))).toBeUndefined();
  });

  test.each<[string, (sample: Sample) => string, RegExp]>([
    ['if it is encrypted', ({ encrypted }) => encrypted, /is encrypted; use a key without a passphrase/],
    ['if it is a public key', ({ publicText }) => publicText, /is a public key; use the private key/],
    ['if the text is truncated', ({ text }) => text.slice(0, text.length / 2), /is damaged/],
    ['if the last bytes are missing', ({ text }) => changeBytes(text, bytes => bytes.subarray(0, -20)), /is damaged/],
    [
      'if the public key is that of another key',
      ({ text, publicText, otherPublicText }) =>
        changeBytes(text, bytes => {
          const [from, to] = [publicNumber(publicText), publicNumber(otherPublicText)];
          return Buffer.from(bytes.toString('latin1').split(from).join(to), 'latin1');
        }),
      /is damaged: the private and public parts do not match/,
    ],
  ])('rejects the key %s', (_label, make, message) => {
    const text = make(sample);
    const problem = validatePrivateKey(base64(text)) ?? '';
    expect(problem).toMatch(message);
    expect(findLeak(problem, text)).toBeUndefined();
  });

  test('rejects a flipped bit unless the key is the same', () => {
    const length = Buffer.from(sample.text.split('\n').slice(1, -2).join(''), 'base64').length;
    const numbers = numbersOf(sample.text);
    const accepted: number[] = [];
    for (let offset = 0; offset < length; offset += 5) {
      const text = flipBit(sample.text, offset);
      const isSame = numbers !== undefined && numbersOf(text) === numbers;
      if (!isSame && validatePrivateKey(base64(text)) === undefined) accepted.push(offset);
    }
    expect(accepted).toEqual([]);
  });
});

const ec = (namedCurve: string) => pem(generateKeyPairSync('ec', { namedCurve }).privateKey);
const ed25519 = samples[0]?.text ?? '';

test.each([
  ['ed25519 as PKCS#8', pem(generateKeyPairSync('ed25519').privateKey)],
  ['RSA with 1024 bits', pem(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey)],
  ['a key between empty lines', `\n\n${ed25519}\n\n`],
])('validatePrivateKey accepts %s', (_label, text) => {
  expect(validatePrivateKey(base64(text))).toBeUndefined();
});

test.each<[string, string | Buffer, RegExp]>([
  ['X25519', pem(generateKeyPairSync('x25519').privateKey), /has the type x25519; use ed25519, ECDSA or RSA/],
  ['Ed448', pem(generateKeyPairSync('ed448').privateKey), /has the type ed448/],
  ['DSA', pem(generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).privateKey), /has the type dsa/],
  ['secp256k1', ec('secp256k1'), /uses the curve secp256k1, which SSH does not support/],
  [
    'RSA with 512 bits',
    pem(generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey),
    /RSA key with fewer than 1024 bits/,
  ],
  [
    'RSA with 8676 bits, which is slow',
    pem(rsaOf(2n ** 4423n - 1n, 2n ** 4253n - 1n)),
    /RSA key with more than 8192 bits/,
  ],
  [
    'an OpenSSH key of an unknown type',
    changeBytes(ed25519, bytes =>
      Buffer.from(bytes.toString('latin1').replaceAll('ssh-ed25519', 'ssh-unknown'), 'latin1'),
    ),
    /has an unsupported type; use ed25519, ECDSA or RSA/,
  ],
  [
    'an OpenSSH file without a key',
    changeBytes(ed25519, bytes => Buffer.concat([bytes.subarray(0, 35), Buffer.alloc(4)])),
    /is damaged/,
  ],
  [
    'a public key in PEM',
    String(generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' })),
    /is a public key/,
  ],
  [
    'a certificate',
    '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    /is not a private key in OpenSSH, PKCS#8 or PEM format/,
  ],
  ['random bytes', randomBytes(400), /is not a private key/],
  ['random bytes in OpenSSH format', changeBytes(ed25519, () => randomBytes(200)), /is damaged/],
  ['random bytes as PKCS#8', changeBytes(ec('prime256v1'), () => randomBytes(138)), /is damaged/],
  ['only the first line', '-----BEGIN OPENSSH PRIVATE KEY-----', /is damaged/],
  ['an oversized text', ed25519.padEnd(60_000), /is too long for a private key/],
])('validatePrivateKey rejects %s', (_label, text, message) => {
  const problem = validatePrivateKey(base64(text)) ?? '';
  expect(problem).toMatch(message);
  expect(findLeak(problem, text.toString('latin1'))).toBeUndefined();
});

test.each([
  ['the plain key text', ed25519],
  ['newlines', base64(ed25519).replace(/.{76}/g, '$&\n')],
  ['a newline at the end', `${base64(ed25519)}\n`],
  ['a space', base64(ed25519).replace(/.{8}/, '$& ')],
  ['missing padding', base64(`${ed25519.trim()}\n\n`).replace(/=*$/, '').slice(0, -1)],
  ['too much padding', `${base64(ed25519).replace(/=*$/, '')}====`],
  ['the URL-safe alphabet', base64(ed25519).replace(/[A-Z]/, '-')],
  ['no content', ''],
])('validatePrivateKey rejects base64 with %s', (_label, text) => {
  expect(validatePrivateKey(text)).toBe('is not base64 without newlines');
});

test('validatePrivateKey rejects a text with many lines in linear time', () => {
  // The longest accepted text.
  const text = `-----BEGIN RSA PRIVATE KEY-----\n${'a:b\n'.repeat(12_000)}-----BEGIN OPENSSH PRIVATE KEY-----\n`;
  const startedAt = process.threadCpuUsage();
  for (let count = 0; count < 10; count += 1) expect(validatePrivateKey(base64(text))).toBeDefined();
  const { user, system } = process.threadCpuUsage(startedAt);
  // Measured: 2 ms of CPU time per text. The parser of ssh2, which is quadratic, takes 570 ms.
  expect((user + system) / 1000).toBeLessThan(1000);
});
