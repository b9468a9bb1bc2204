import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWithSshd } from '../../../../test/harness/ssh/sshd.ts';
import { SshdConnections } from '../../../../test/harness/ssh/sshd-fixtures.ts';
import { Secret } from '../../../domain/secret.ts';
import { createOpenSshTransport } from './openssh-transport.ts';
import { parseSigningKey } from './signing-key.ts';

const KEY_TYPES = [
  ['ed25519', '256'],
  ['ecdsa', '256'],
  ['ecdsa', '384'],
  ['ecdsa', '521'],
  ['rsa', '2048'],
] as const;
/** ssh-keygen calls the OpenSSH format `RFC4716`. */
const FORMATS = ['RFC4716', 'PEM', 'PKCS8'] as const;
const CASES = KEY_TYPES.flatMap(([type, bits]) => FORMATS.map(form => ({ type, bits, form })));

describeWithSshd('SigningKey', () => {
  const visits = new SshdConnections();

  test.each(CASES)('logs in with $type, $bits bits, format $form', async ({ type, bits, form }) => {
    const name = `${type}-${bits}-${form}`;
    const publicKey = visits.newKey(name, '-t', type, '-b', bits);
    visits.keygen('-p', '-m', form, '-P', '', '-N', '', '-f', visits.filePath(name));
    const privateKey = new Secret(readFileSync(visits.filePath(name)).toString('base64'));
    expect(parseSigningKey(privateKey).publicBlob.toString('base64')).toBe(publicKey.split(' ')[1]);
    const authorized = visits.write(`${publicKey}\n`);
    const { target } = await visits.start({ config: ['Match all', `AuthorizedKeysFile ${authorized}`] });
    const connection = await visits.connectOrThrow(createOpenSshTransport(), { ...target, privateKey });
    expect(await visits.output(connection, 'printf', 'in')).toBe('in');
  });

  test('does not sign with SHA-1', () => {
    visits.newKey('old', '-t', 'rsa', '-b', '2048');
    const key = parseSigningKey(new Secret(readFileSync(visits.filePath('old')).toString('base64')));
    expect([key.sign(Buffer.from('data'), 0), key.sign(Buffer.from('data'), 2)?.includes('rsa-sha2-256')]).toEqual([
      undefined,
      true,
    ]);
  });

  test('rejects an encrypted key', () => {
    visits.keygen('-t', 'ed25519', '-N', 'passphrase', '-f', visits.filePath('locked'));
    const encrypted = new Secret(readFileSync(visits.filePath('locked')).toString('base64'));
    expect(() => parseSigningKey(encrypted)).toThrow('the key is encrypted');
  });
});
