import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { extractPemSeed, secretPatterns } from './secret-patterns.ts';

const newPem = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const PASSWORD = `password-${randomBytes(12).toString('hex')}`;
const TOKEN = randomBytes(60).toString('base64');
const TEXTS = [PASSWORD, TOKEN];
const PEM = newPem();
const KEYS = [PEM, Buffer.from(PEM).toString('base64')];

const PATTERNS = [
  ...secretPatterns('password', Buffer.from(PASSWORD)),
  ...secretPatterns('token', Buffer.from(TOKEN)),
  ...secretPatterns('private key', extractPemSeed(PEM)),
];

const findNames = (bytes: string) => [
  ...new Set(PATTERNS.filter(pattern => Buffer.from(bytes).includes(pattern.bytes)).map(({ name }) => name)),
];

test.each<[string, readonly string[], (text: string) => string]>([
  ['unencoded', [...TEXTS, ...KEYS], text => text],
  ['in JSON', [...TEXTS, ...KEYS], text => JSON.stringify({ text })],
  ['with escaped line breaks as in a dump', KEYS, text => text.replaceAll('\n', '\\n')],
  ['in base64', [...TEXTS, PEM], text => Buffer.from(text).toString('base64')],
  ['in base64 of a longer text', [...TEXTS, PEM], text => Buffer.from(`x${text}`).toString('base64')],
  ['in hexadecimal', TEXTS, text => Buffer.from(text).toString('hex')],
])('secret patterns match a secret %s', (_encoding, secrets, write) => {
  for (const secret of secrets) expect(findNames(`before ${write(secret)} after`)).toHaveLength(1);
});

test('secret patterns of a key do not match the common parts of other keys', () => {
  expect(findNames(newPem())).toEqual([]);
});
