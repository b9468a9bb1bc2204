import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SshdFixture } from '../../../../test/harness/ssh/sshd-fixtures.ts';
import { parsePresentedKey } from './key-agent.ts';

const fixture = new SshdFixture();
const blobOf = (line: string) => Buffer.from(line.split(' ')[1] ?? '', 'base64');

test.each(['ed25519', 'ecdsa', 'rsa'])(
  'parsePresentedKey extracts the plain key from a certificate of type %s',
  type => {
    const plain = fixture.newKey(type, '-t', type);
    fixture.newKey(`${type}-ca`);
    fixture.keygen('-s', fixture.filePath(`${type}-ca`), '-I', type, '-h', fixture.filePath(`${type}.pub`));
    const certificate = readFileSync(fixture.filePath(`${type}-cert.pub`), 'utf8');
    expect(parsePresentedKey(blobOf(certificate))).toEqual({ line: plain, isCertified: true });
    expect(parsePresentedKey(blobOf(plain))).toEqual({ line: plain, isCertified: false });
  },
);
