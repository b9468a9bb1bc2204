import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { transportConforms } from '../../../../test/conformance/transport.ts';
import { OTHER_HOST_KEY } from '../../../../test/harness/credentials.ts';
import type { Sshd } from '../../../../test/harness/ssh/sshd.ts';
import { describeWithSshd } from '../../../../test/harness/ssh/sshd.ts';
import { CONNECTION_LIMITS, SshdFixture, startConformanceHost } from '../../../../test/harness/ssh/sshd-fixtures.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { Secret } from '../../../domain/secret.ts';
import { createOpenSshTransport } from './openssh-transport.ts';

const unreachable = (detail: RegExp) => ({ kind: 'unreachable', detail: expect.stringMatching(detail) });

describeWithSshd('openssh transport', () => {
  transportConforms('openssh', () => startConformanceHost(createOpenSshTransport()));

  const fixture = new SshdFixture();
  const configured = (...lines: string[]) =>
    createOpenSshTransport({ configFile: fixture.write(lines.map(line => `${line}\n`).join('')) });

  test('connects to a host that accepts only a post-quantum key exchange', async () => {
    const { target } = await fixture.start({ config: ['KexAlgorithms sntrup761x25519-sha512@openssh.com'] });
    const connection = await fixture.connectOrThrow(createOpenSshTransport(), target);
    expect(await fixture.output(connection, 'printf', 'in')).toBe('in');
  });

  test('logs in with a user certificate from the ssh_config', async () => {
    const [ca] = [fixture.newKey('user-ca'), fixture.newKey('client')];
    const config = [`TrustedUserCAKeys ${fixture.write(`${ca}\n`)}`, 'Match all', 'AuthorizedKeysFile none'];
    const { target } = await fixture.start({ config });
    const [clientKey, caKey] = [fixture.filePath('client'), fixture.filePath('user-ca')];
    fixture.keygen('-s', caKey, '-I', 'client', '-n', target.user, `${clientKey}.pub`);
    const privateKey = new Secret(readFileSync(clientKey).toString('base64'));
    const failure = await fixture.connect(createOpenSshTransport(), { ...target, privateKey });
    expect(failure).toMatchObject({ kind: 'auth_rejected' });
    const transport = configured(`CertificateFile ${clientKey}-cert.pub`);
    const connection = await fixture.connectOrThrow(transport, { ...target, privateKey });
    expect(await fixture.output(connection, 'printf', 'in')).toBe('in');
  });

  describe('behind a jump host', () => {
    const start = async () => [await fixture.start(), await fixture.start()] as const;
    const keyOf = ({ target }: Sshd) => Buffer.from(target.privateKey.reveal(), 'base64');

    /**
     * `key` and `presentedKey` are the accepted key and the host key of the jump host; `settings` apply to all hosts.
     */
    function throughJumpHost(jump: Sshd, { key = keyOf(jump), presentedKey = jump.hostKey, settings = [''] } = {}) {
      const { user, port } = jump.target;
      return configured(
        ...settings,
        ...['Host jump', 'HostName 127.0.0.1', `User ${user}`, `Port ${port}`],
        ...[`IdentityFile ${fixture.write(key)}`, `UserKnownHostsFile ${fixture.write(`* ${presentedKey}\n`)}`],
        ...['Host 127.*', 'ProxyJump jump'],
      );
    }

    test('connects with a separate key for each host', async () => {
      const [jump, sshd] = await start();
      const connection = await fixture.connectOrThrow(throughJumpHost(jump), {
        ...sshd.target,
        hostKeys: [sshd.hostKey],
      });
      expect(await fixture.output(connection, 'printf', 'in')).toBe('in');
      expect([jump.logins(), sshd.logins(), connection.hostKey]).toEqual([1, 1, sshd.hostKey]);
    });

    test('fails when the jump host is lost', async () => {
      const [jump, sshd] = await start();
      const connection = await fixture.connectOrThrow(throughJumpHost(jump), sshd.target);
      const result = connection.run(['sleep', '30'], CONNECTION_LIMITS);
      jump.cut();
      expect(await result).toMatchObject(unreachable(/./));
    });

    test('reports the changed key of the host', async () => {
      const [jump, sshd] = await start();
      const failure = await fixture.connect(throughJumpHost(jump), {
        ...sshd.target,
        hostKeys: [OTHER_HOST_KEY],
      });
      expect(failure).toMatchObject({ kind: 'host_key_changed', presentedKey: sshd.hostKey });
    });

    test('reports a rejected login or changed key of the jump host', async () => {
      const [jump, { target, hostKey }] = await start();
      const known = { ...target, hostKeys: [hostKey] };
      const withRejectedKey = throughJumpHost(jump, {
        key: Buffer.from(target.privateKey.reveal(), 'base64'),
      });
      expect(await fixture.connect(withRejectedKey, known)).toMatchObject(unreachable(/jump host.*Permission denied/));
      const changed = throughJumpHost(jump, { presentedKey: OTHER_HOST_KEY });
      expect(await fixture.connect(changed, known)).toMatchObject(
        unreachable(/jump host.*Host key verification failed/),
      );
    });

    test('reports an unreachable jump host or host', async () => {
      const [jump, sshd] = await start();
      await sshd.stop();
      const transport = throughJumpHost(jump);
      const failure = /jump host.*connect failed: Connection refused/;
      expect(await fixture.connect(transport, sshd.target)).toMatchObject(unreachable(failure));
      await jump.stop();
      const jumpHostDown = new RegExp(`jump host.*port ${jump.target.port}: Connection refused`);
      expect(await fixture.connect(transport, sshd.target)).toMatchObject(unreachable(jumpHostDown));
    });

    test('works with shared connections in the ssh_config', async () => {
      const [jump, sshd] = await start();
      const settings = ['ControlMaster auto', `ControlPath ${fixture.filePath('kept-%C')}`, 'ControlPersist 5'];
      for (const word of ['one', 'two']) {
        const connection = await fixture.connectOrThrow(throughJumpHost(jump, { settings }), sshd.target);
        expect(await fixture.output(connection, 'printf', word)).toBe(word);
        connection.close();
      }
      expect([jump.logins(), sshd.logins()]).toEqual([1, 2]);
    });
  });

  describe('with a host certificate', () => {
    /** A host with a certificate for `principal`, and a transport that trusts the CA. */
    async function certified(name: string, principal = '127.0.0.1') {
      const [ca, hostKey] = [fixture.newKey(`${name}-ca`), fixture.newKey(name)];
      const file = fixture.filePath(name);
      fixture.keygen('-s', `${file}-ca`, '-I', name, '-h', '-n', principal, `${file}.pub`);
      const config = [`HostKey ${file}`, `HostCertificate ${file}-cert.pub`];
      const { target } = await fixture.start({ hostKeyType: 'ecdsa', config });
      const known = fixture.write(`@cert-authority * ${ca}\n`);
      return { target, hostKey, transport: configured(`GlobalKnownHostsFile ${known}`) };
    }
    /** Another known key of the same type. */
    const changed = { hostKeys: [OTHER_HOST_KEY] };

    test('trusts a known CA, also with a changed key, and reports the plain key', async () => {
      const { target, hostKey, transport } = await certified('signed');
      for (const hostKeys of [[], [hostKey], [OTHER_HOST_KEY]]) {
        const connection = await fixture.connectOrThrow(transport, { ...target, hostKeys });
        expect([connection.hostKey, await fixture.output(connection, 'printf', 'in')]).toEqual([hostKey, 'in']);
      }
    });

    test('compares the plain key if there is no ssh_config', async () => {
      const { target, hostKey } = await certified('plain');
      const transport = createOpenSshTransport();
      expect((await fixture.connectOrThrow(transport, { ...target, hostKeys: [hostKey] })).hostKey).toBe(hostKey);
      const failure = await fixture.connect(transport, { ...target, ...changed });
      expect(failure).toMatchObject({ kind: 'host_key_changed', presentedKey: hostKey });
    });

    test('rejects a changed key with an unknown CA or for another name', async () => {
      const [unknown, otherName] = [await certified('unknown'), await certified('other-name', 'other-name')];
      for (const { target, hostKey } of [unknown, otherName]) {
        const failure = await fixture.connect(otherName.transport, { ...target, ...changed });
        expect(failure).toMatchObject({ kind: 'host_key_changed', presentedKey: hostKey });
      }
    });
  });
});

test.each(['/tmp/with space', '/tmp/100%', `/tmp/${'long'.repeat(12)}`, 'relative'])(
  'openssh transport rejects the temporary directory %s',
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
