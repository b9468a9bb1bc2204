import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SshVisits } from '../../../../test/harness/ssh/ssh-visits.ts';
import { parsePresentedKey } from './key-agent.ts';

const visits = new SshVisits();
const blobOf = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64');

test.each(['ed25519', 'ecdsa', 'rsa'])('the plain key is found in a certificate of the type %s', type => {
  const plain = visits.newKey(type, '-t', type);
  visits.newKey(`${type}-ca`);
  visits.keygen('-s', visits.inside(`${type}-ca`), '-I', type, '-h', visits.inside(`${type}.pub`));
  const certificate = readFileSync(visits.inside(`${type}-cert.pub`), 'utf8');
  expect(parsePresentedKey(blobOf(certificate))).toEqual({ line: plain, isCertified: true });
  expect(parsePresentedKey(blobOf(plain))).toEqual({ line: plain, isCertified: false });
});
