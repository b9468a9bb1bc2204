import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPrivateKeyFile } from './key-files.ts';

const PASSPHRASE = 'a phrase';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const encryption = { cipher: 'aes-256-cbc', passphrase: PASSPHRASE };

let folder: string;
const inFolder = (name: string) => path.join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "hostler's key file-"));
  const keygen = (name: string, passphrase: string) =>
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-f', inFolder(name)]);
  keygen('plain', '');
  keygen('locked', PASSPHRASE);
  const files = {
    'locked.pkcs8': privateKey.export({ type: 'pkcs8', format: 'pem', ...encryption }),
    'locked.sec1': privateKey.export({ type: 'sec1', format: 'pem', ...encryption }),
    'public.pem': publicKey.export({ type: 'spki', format: 'pem' }),
    'putty.ppk': 'PuTTY-User-Key-File-3: ssh-ed25519\n',
    'text.txt': 'Lorem ipsum\n',
    damaged: '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n-----END OPENSSH PRIVATE KEY-----\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(inFolder(name), text, { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(name: string) {
  const warnings: string[] = [];
  const base64 = readPrivateKeyFile(inFolder(name), { writeErr: text => warnings.push(text) });
  return { base64, warnings };
}

test.each(['plain', 'damaged'])(
  'readPrivateKeyFile() returns the content of a file that only the server can validate: %s',
  name => {
    expect(read(name)).toEqual({ base64: readFileSync(inFolder(name)).toString('base64'), warnings: [] });
  },
);

test.each([
  ['locked', /^\S+.* is encrypted with a passphrase.*: cp '.*' '.*' && ssh-keygen -p -N '' -f '.*\/locked\.plain'$/],
  ['locked.pkcs8', /is encrypted/],
  ['locked.sec1', /is encrypted/],
  ['plain.pub', /is a public key\. Use its private key: .*\/plain$/],
  ['public.pem', /is a public key\. Use its private key$/],
  ['putty.ppk', /is a PuTTY key\. Convert it with: puttygen/],
  ['text.txt', /is not a private key/],
  ['nothing', /nothing does not exist\. Use a file with a private key$/],
  ['.', / is a directory\. Use a file with a private key$/],
])('readPrivateKeyFile() rejects the file %s with a fix', (name, problem) => {
  expect(() => read(name)).toThrow(problem);
});

test('the command suggested for an encrypted key works as printed', () => {
  let advice = '';
  try {
    read('locked');
  } catch (error) {
    advice = /: (cp .*)$/.exec(String(error))?.[1] ?? '';
  }
  execFileSync('sh', ['-c', `${advice} -P '${PASSPHRASE}'`], { stdio: 'pipe' });
  expect(read('locked.plain').warnings).toEqual([]);
});

test('readPrivateKeyFile() warns about a file that other users can read', () => {
  chmodSync(inFolder('plain'), 0o644);
  expect(read('plain').warnings).toEqual([
    expect.stringMatching(/^hostler: warning: other users can read .*: chmod 600 '/),
  ]);
});
