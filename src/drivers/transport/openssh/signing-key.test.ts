import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SshVisits } from '../../../../test/harness/ssh/ssh-visits.ts';
import { describeWithSshd } from '../../../../test/harness/ssh/sshd.ts';
import { Secret } from '../../../domain/secret.ts';
import { createOpenSshTransport } from './openssh-transport.ts';
import { parseSigningKey } from './signing-key.ts';

const KINDS = [
  ['ed25519', '256'],
  ['ecdsa', '256'],
  ['ecdsa', '384'],
  ['ecdsa', '521'],
  ['rsa', '2048'],
] as const;
/** `RFC4716` is what ssh-keygen calls OpenSSH's own. */
const FORMS = ['RFC4716', 'PEM', 'PKCS8'] as const;
const CASES = KINDS.flatMap(([type, bits]) => FORMS.map(form => ({ type, bits, form })));

describeWithSshd('a private key that signs for ssh', () => {
  const visits = new SshVisits();

  test.each(CASES)('lets in: $type of $bits bits, in the form $form', async ({ type, bits, form }) => {
    const name = `${type}-${bits}-${form}`;
    const publicKey = visits.newKey(name, '-t', type, '-b', bits);
    visits.keygen('-p', '-m', form, '-P', '', '-N', '', '-f', visits.inside(name));
    const privateKey = new Secret(readFileSync(visits.inside(name)).toString('base64'));
    expect(parseSigningKey(privateKey).publicBlob.toString('base64')).toBe(publicKey.split(' ')[1]);
    const authorized = visits.write(`${publicKey}\n`);
    const { target } = await visits.start({ config: ['Match all', `AuthorizedKeysFile ${authorized}`] });
    const connection = await visits.enter(createOpenSshTransport(), { ...target, privateKey });
    expect(await visits.output(connection, 'printf', 'in')).toBe('in');
  });

  test('signs nothing with SHA-1', () => {
    visits.newKey('old', '-t', 'rsa', '-b', '2048');
    const key = parseSigningKey(new Secret(readFileSync(visits.inside('old')).toString('base64')));
    expect([
      key.sign(Buffer.from('data'), 0),
      key.sign(Buffer.from('data'), 2)?.includes('rsa-sha2-256'),
    ]).toEqual([undefined, true]);
  });

  test('is not taken when it is encrypted', () => {
    visits.keygen('-t', 'ed25519', '-N', 'passphrase', '-f', visits.inside('locked'));
    const locked = new Secret(readFileSync(visits.inside('locked')).toString('base64'));
    expect(() => parseSigningKey(locked)).toThrow('the key is encrypted');
  });
});
