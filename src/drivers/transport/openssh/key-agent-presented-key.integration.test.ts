import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SshdConnections } from '../../../../test/harness/ssh/sshd-fixtures.ts';
import { parsePresentedKey } from './key-agent.ts';

const visits = new SshdConnections();
const blobOf = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64');

test.each(['ed25519', 'ecdsa', 'rsa'])(
  'parsePresentedKey extracts the plain key from a certificate of type %s',
  type => {
    const plain = visits.newKey(type, '-t', type);
    visits.newKey(`${type}-ca`);
    visits.keygen('-s', visits.filePath(`${type}-ca`), '-I', type, '-h', visits.filePath(`${type}.pub`));
    const certificate = readFileSync(visits.filePath(`${type}-cert.pub`), 'utf8');
    expect(parsePresentedKey(blobOf(certificate))).toEqual({ line: plain, isCertified: true });
    expect(parsePresentedKey(blobOf(plain))).toEqual({ line: plain, isCertified: false });
  },
);
