import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OTHER_HOST_KEY } from '../../../../test/harness/keys.ts';
import { SshVisits, VISIT_LIMITS } from '../../../../test/harness/ssh/ssh-visits.ts';
import type { Sshd } from '../../../../test/harness/ssh/sshd.ts';
import { describeWithSshd } from '../../../../test/harness/ssh/sshd.ts';
import { openSshdLab } from '../../../../test/harness/ssh/sshd-lab.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { Secret } from '../../../domain/secret.ts';
import { transportConforms } from '../conformance.ts';
import { createOpenSshTransport } from './openssh-transport.ts';

const unreachable = (detail: RegExp) => ({ kind: 'unreachable', detail: expect.stringMatching(detail) });

describeWithSshd('the transport openssh, with a real sshd', () => {
  transportConforms('openssh', () => openSshdLab(createOpenSshTransport()));

  const visits = new SshVisits();
  const configured = (...lines: string[]) =>
    createOpenSshTransport({ configFile: visits.write(lines.map(line => `${line}\n`).join('')) });

  test('reaches a host that takes only a post-quantum key exchange', async () => {
    const { target } = await visits.start({ config: ['KexAlgorithms sntrup761x25519-sha512@openssh.com'] });
    const connection = await visits.enter(createOpenSshTransport(), target);
    expect(await visits.output(connection, 'printf', 'in')).toBe('in');
  });

  test('enters a host that wants a certificate for our key, which the file names', async () => {
    const [authority] = [visits.newKey('users'), visits.newKey('ours')];
    const config = [
      `TrustedUserCAKeys ${visits.write(`${authority}\n`)}`,
      'Match all',
      'AuthorizedKeysFile none',
    ];
    const { target } = await visits.start({ config });
    const [ours, users] = [visits.inside('ours'), visits.inside('users')];
    visits.keygen('-s', users, '-I', 'ours', '-n', target.user, `${ours}.pub`);
    const privateKey = new Secret(readFileSync(ours).toString('base64'));
    const refused = await visits.connect(createOpenSshTransport(), { ...target, privateKey });
    expect(refused).toMatchObject({ kind: 'auth_rejected' });
    const transport = configured(`CertificateFile ${ours}-cert.pub`);
    const connection = await visits.enter(transport, { ...target, privateKey });
    expect(await visits.output(connection, 'printf', 'in')).toBe('in');
  });

  describe('a host behind a jump host', () => {
    const start = async () => [await visits.start(), await visits.start()] as const;
    const keyOf = ({ target }: Sshd) => Buffer.from(target.privateKey.reveal(), 'base64');

    /** Of the jump host: a key that it lets in, and the one that it shows. Before it, settings for all. */
    function behind(
      jump: Sshd,
      { key = keyOf(jump), shown: presentedKey = jump.hostKey, settings = [''] } = {},
    ) {
      const { user, port } = jump.target;
      return configured(
        ...settings,
        ...['Host jump', 'HostName 127.0.0.1', `User ${user}`, `Port ${port}`],
        ...[`IdentityFile ${visits.write(key)}`, `UserKnownHostsFile ${visits.write(`* ${presentedKey}\n`)}`],
        ...['Host 127.*', 'ProxyJump jump'],
      );
    }

    test('is reached through it, each with its own key', async () => {
      const [jump, sshd] = await start();
      const connection = await visits.enter(behind(jump), { ...sshd.target, hostKeys: [sshd.hostKey] });
      expect(await visits.output(connection, 'printf', 'in')).toBe('in');
      expect([jump.logins(), sshd.logins(), connection.hostKey]).toEqual([1, 1, sshd.hostKey]);
    });

    test('is lost when the jump host is', async () => {
      const [jump, sshd] = await start();
      const connection = await visits.enter(behind(jump), sshd.target);
      const answer = connection.run(['sleep', '30'], VISIT_LIMITS);
      jump.cut();
      expect(await answer).toMatchObject(unreachable(/./));
    });

    test('has changed when it shows another key, and that key is reported', async () => {
      const [jump, sshd] = await start();
      const refused = await visits.connect(behind(jump), { ...sshd.target, hostKeys: [OTHER_HOST_KEY] });
      expect(refused).toMatchObject({ kind: 'host_key_changed', presentedKey: sshd.hostKey });
    });

    test('is unreachable when the jump host does not let us in or shows another key, and that is said', async () => {
      const [jump, { target, hostKey }] = await start();
      const known = { ...target, hostKeys: [hostKey] };
      const locked = behind(jump, { key: Buffer.from(target.privateKey.reveal(), 'base64') });
      expect(await visits.connect(locked, known)).toMatchObject(unreachable(/jump host.*Permission denied/));
      const changed = behind(jump, { shown: OTHER_HOST_KEY });
      expect(await visits.connect(changed, known)).toMatchObject(
        unreachable(/jump host.*Host key verification failed/),
      );
    });

    test('is unreachable when the jump host is away or finds nobody there, and that is said', async () => {
      const [jump, sshd] = await start();
      await sshd.stop();
      const transport = behind(jump);
      const refused = /jump host.*connect failed: Connection refused/;
      expect(await visits.connect(transport, sshd.target)).toMatchObject(unreachable(refused));
      await jump.stop();
      const away = new RegExp(`jump host.*port ${jump.target.port}: Connection refused`);
      expect(await visits.connect(transport, sshd.target)).toMatchObject(unreachable(away));
    });

    test('is reached also where the file has connections shared and kept', async () => {
      const [jump, sshd] = await start();
      const settings = ['ControlMaster auto', `ControlPath ${visits.inside('kept-%C')}`, 'ControlPersist 5'];
      for (const word of ['one', 'two']) {
        const connection = await visits.enter(behind(jump, { settings }), sshd.target);
        expect(await visits.output(connection, 'printf', word)).toBe(word);
        connection.close();
      }
      expect([jump.logins(), sshd.logins()]).toEqual([1, 2]);
    });
  });

  describe('a host with a certificate', () => {
    /** A host whose ed25519 key an authority has signed, for this name; and a transport that knows the authority. */
    async function certified(name: string, principal = '127.0.0.1') {
      const [authority, hostKey] = [visits.newKey(`${name}-ca`), visits.newKey(name)];
      const file = visits.inside(name);
      visits.keygen('-s', `${file}-ca`, '-I', name, '-h', '-n', principal, `${file}.pub`);
      const config = [`HostKey ${file}`, `HostCertificate ${file}-cert.pub`];
      const { target } = await visits.start({ hostKeyType: 'ecdsa', config });
      const known = visits.write(`@cert-authority * ${authority}\n`);
      return { target, hostKey, transport: configured(`GlobalKnownHostsFile ${known}`) };
    }
    /** Its key was another of the same type. */
    const changed = { hostKeys: [OTHER_HOST_KEY] };

    test('of a known authority is entered, also with another key than before, and the plain key is reported', async () => {
      const { target, hostKey, transport } = await certified('signed');
      for (const hostKeys of [[], [hostKey], [OTHER_HOST_KEY]]) {
        const connection = await visits.enter(transport, { ...target, hostKeys });
        expect([connection.hostKey, await visits.output(connection, 'printf', 'in')]).toEqual([
          hostKey,
          'in',
        ]);
      }
    });

    test('is like any other where no file names an authority', async () => {
      const { target, hostKey } = await certified('plain');
      const transport = createOpenSshTransport();
      expect((await visits.enter(transport, { ...target, hostKeys: [hostKey] })).hostKey).toBe(hostKey);
      const refused = await visits.connect(transport, { ...target, ...changed });
      expect(refused).toMatchObject({ kind: 'host_key_changed', presentedKey: hostKey });
    });

    test('of an unknown authority, or for another name, is not entered with another key than before', async () => {
      const [unknown, elsewhere] = [await certified('unknown'), await certified('elsewhere', 'elsewhere')];
      for (const { target, hostKey } of [unknown, elsewhere]) {
        const refused = await visits.connect(elsewhere.transport, { ...target, ...changed });
        expect(refused).toMatchObject({ kind: 'host_key_changed', presentedKey: hostKey });
      }
    });
  });
});

test.each(['/tmp/with space', '/tmp/100%', `/tmp/${'long'.repeat(12)}`, 'relative'])(
  'the transport openssh does not begin where ssh cannot have its sockets: %s',
  async tempFolder => {
    const target = {
      address: '127.0.0.1' as Address,
      port: 1,
      user: 'root',
      privateKey: new Secret(''),
      hostKeys: [],
    };
    const limits = { timeoutMs: 1000, signal: new AbortController().signal };
    expect(await createOpenSshTransport({ tempFolder }).connect(target, limits)).toMatchObject(
      unreachable(/^ssh cannot create its sockets in /),
    );
  },
);
