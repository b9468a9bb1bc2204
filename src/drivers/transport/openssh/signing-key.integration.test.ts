import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClientKey } from '../../../../test/harness/ssh/client-keys.ts';
import { CLIENT_KEYS, makeClientKeys } from '../../../../test/harness/ssh/client-keys.ts';
import type { Sshd } from '../../../../test/harness/ssh/sshd.ts';
import { describeWithSshd, startSshd } from '../../../../test/harness/ssh/sshd.ts';
import { SshdFixture } from '../../../../test/harness/ssh/sshd-fixtures.ts';
import { Secret } from '../../../domain/secret.ts';
import { createOpenSshTransport } from './openssh-transport.ts';
import { parseSigningKey } from './signing-key.ts';

describeWithSshd('SigningKey', () => {
  const fixture = new SshdFixture();
  let sshd: Sshd;
  let keys: ReturnType<typeof makeClientKeys>;
  beforeAll(async () => {
    sshd = await startSshd();
    keys = makeClientKeys();
    for (const { publicKey } of keys.values()) sshd.authorize(publicKey);
  });
  afterAll(() => sshd.stop());

  function keyOf(name: string): ClientKey {
    const key = keys.get(name);
    if (key === undefined) throw new Error(`there is no key ${name}`);
    return key;
  }

  test.each(CLIENT_KEYS)('logs in with %s', async name => {
    const { privateKey, publicKey } = keyOf(name);
    expect(parseSigningKey(privateKey).publicBlob.toString('base64')).toBe(publicKey.split(' ')[1]);
    const connection = await fixture.connectOrThrow(createOpenSshTransport(), { ...sshd.target, privateKey });
    expect(await fixture.output(connection, 'printf', 'in')).toBe('in');
  });

  test('does not sign with SHA-1', () => {
    const key = parseSigningKey(keyOf('RSA as OpenSSH').privateKey);
    expect([key.sign(Buffer.from('data'), 0), key.sign(Buffer.from('data'), 2)?.includes('rsa-sha2-256')]).toEqual([
      undefined,
      true,
    ]);
  });

  test('rejects an encrypted key', () => {
    // One round of key derivation: each takes 10 ms of CPU time.
    fixture.keygen('-t', 'ed25519', '-a', '1', '-N', 'passphrase', '-f', fixture.filePath('locked'));
    const encrypted = new Secret(readFileSync(fixture.filePath('locked')).toString('base64'));
    expect(() => parseSigningKey(encrypted)).toThrow('the key is encrypted');
  });
});
