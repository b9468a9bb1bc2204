import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import net from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { OTHER_HOST_KEY } from '../../../../test/harness/credentials.ts';
import { freePort } from '../../../../test/harness/http/sockets.ts';
import { describeWithSshd } from '../../../../test/harness/ssh/sshd.ts';
import { CONNECTION_LIMITS, SshdConnections } from '../../../../test/harness/ssh/sshd-fixtures.ts';
import { Secret } from '../../../domain/secret.ts';
import { newId } from '../../../lib/random.ts';
import { createOpenSshTransport } from './openssh-transport.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const POLL_OPTIONS = { timeout: 10_000 };

describeWithSshd('openssh login', () => {
  const visits = new SshdConnections();
  const transport = createOpenSshTransport();
  const configured = (...lines: string[]) =>
    createOpenSshTransport({ configFile: visits.write(lines.map(line => `${line}\n`).join('')) });
  const unreachable = (detail: RegExp) => ({ kind: 'unreachable', detail: expect.stringMatching(detail) });

  afterEach(() => vi.unstubAllEnvs());

  test('reports a changed key if the host has only keys of other types', async () => {
    const sshd = await visits.start({ hostKeyType: 'ecdsa' });
    const failure = await visits.connect(transport, { ...sshd.target, hostKeys: [OTHER_HOST_KEY] });
    expect(failure).toMatchObject({ kind: 'host_key_changed', presentedKey: sshd.hostKey });
    expect([sshd.logins(), sshd.log().includes(sshd.target.user)]).toEqual([0, false]);
  });

  test('uses the known key of a host with several key types', async () => {
    const known = visits.newKey('ecdsa', '-t', 'ecdsa');
    const { target } = await visits.start({ config: [`HostKey ${visits.filePath('ecdsa')}`] });
    const connection = await visits.connectOrThrow(transport, { ...target, hostKeys: [known] });
    expect(connection.hostKey).toBe(known);
  });

  test('connects over IPv6', async () => {
    const { target } = await visits.start({ address: '::1' });
    expect(await visits.output(await visits.connectOrThrow(transport, target), 'printf', 'in')).toBe('in');
  });

  test('does not treat a user name with a leading dash as an option', async () => {
    const { target } = await visits.start();
    const trap = visits.filePath('trap');
    const user = `-oProxyCommand=touch ${trap}`;
    expect(await visits.connect(transport, { ...target, user })).toMatchObject({ kind: 'auth_rejected' });
    expect(existsSync(trap)).toBe(false);
  });

  test('reports an unreadable private key without revealing it', async () => {
    const { target } = await visits.start();
    const privateKey = new Secret(base64('-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n'));
    const failure = await visits.connect(transport, { ...target, privateKey });
    expect(failure).toMatchObject({ kind: 'auth_rejected', detail: 'the private key cannot be read' });
  });

  test('names the missing package if ssh is not installed', async () => {
    const { target } = await visits.start();
    vi.stubEnv('PATH', visits.folder);
    expect(await visits.connect(transport, target)).toMatchObject(unreachable(/install openssh-client/));
  });

  test('reports a connection that is closed before the SSH banner', async () => {
    const server = net.createServer(socket => socket.end());
    const port = await freePort();
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
    visits.addCleanup(() => server.close());
    const { target } = await visits.start();
    expect(await visits.connect(transport, { ...target, port })).toMatchObject(unreachable(/before the SSH banner/));
  });

  test.each([1, 2, 3])('stops before the login if mayProceed returns false at call %i', async callNumber => {
    const sshd = await visits.start();
    let calls = 0;
    const mayProceed = () => ++calls < callNumber;
    const failure = await visits.connect(transport, sshd.target, { ...CONNECTION_LIMITS, mayProceed });
    expect(failure).toMatchObject(unreachable(/aborted/));
    expect([calls >= callNumber, sshd.logins()]).toEqual([true, 0]);
  });

  describe('isolation from the server machine', () => {
    test('ignores the SSH agent of the service account', async () => {
      const { target } = await visits.start();
      let calls = 0;
      const agent = net.createServer(() => calls++);
      const socket = visits.filePath('own-agent');
      await new Promise<void>(resolve => agent.listen(socket, resolve));
      visits.addCleanup(() => agent.close());
      vi.stubEnv('SSH_AUTH_SOCK', socket);
      await visits.connectOrThrow(transport, target);
      expect(calls).toBe(0);
    });

    test('offers no other key to a host that rejects the key', async () => {
      const [sshd, other] = [await visits.start(), await visits.start()];
      const { privateKey } = other.target;
      expect(await visits.connect(transport, { ...sshd.target, privateKey })).toMatchObject({
        kind: 'auth_rejected',
      });
      await expect
        .poll(() => /^Connection (?:closed|reset) by authenticating/m.test(sshd.log()), POLL_OPTIONS)
        .toBe(true);
      expect(sshd.log().match(/^Failed publickey .* SHA256:\S+/gm)).toHaveLength(1);
    });

    test('reports a temporary directory that is not writable', async () => {
      const { target } = await visits.start();
      const deletedFolder = mkdtempSync(visits.filePath('gone-'));
      const transportWithoutFolder = createOpenSshTransport({ tempFolder: deletedFolder });
      rmdirSync(deletedFolder);
      expect(await visits.connect(transportWithoutFolder, target)).toMatchObject(
        unreachable(/could not be started: .*ENOENT/),
      );
    });

    test('rejects an ssh_config with an IdentityFile for the host without connecting', async () => {
      const sshd = await visits.start();
      visits.newKey('own');
      const failure = await visits.connect(configured(`IdentityFile ${visits.filePath('own')}`), sshd.target);
      expect(failure).toMatchObject(unreachable(/sets a key for this host \(IdentityFile .*own\)/));
      expect(sshd.logins()).toBe(0);
    });

    test('reports an invalid or missing ssh_config', async () => {
      const { target } = await visits.start();
      const missing = createOpenSshTransport({ configFile: visits.filePath(newId()) });
      for (const invalid of [configured('NoSuchSetting yes'), missing]) {
        expect(await visits.connect(invalid, target)).toMatchObject(unreachable(/openssh_config is invalid/));
      }
    });

    test('overrides unsafe settings in the ssh_config', async () => {
      const sshd = await visits.start();
      const [trap, shared] = [visits.filePath('trap'), visits.filePath('shared')];
      const hostileConfig = configured(
        ...['BatchMode no', 'RequestTTY force', 'RemoteCommand false', 'EscapeChar ~', 'LogLevel QUIET'],
        ...['PermitLocalCommand yes', `LocalCommand touch ${trap}`, 'ForwardAgent yes', 'ForwardX11 yes'],
        ...['ControlMaster auto', `ControlPath ${shared}`, 'ControlPersist 60', 'ForkAfterAuthentication yes'],
        ...['StrictHostKeyChecking no', 'NoHostAuthenticationForLocalhost yes', 'VerifyHostKeyDNS yes'],
        ...[`LocalForward ${await freePort()} 127.0.0.1:1`, 'User nobody', 'Port 1', 'IdentitiesOnly yes'],
        ...['PreferredAuthentications password', 'IdentityAgent none', 'StdinNull yes', 'SessionType default'],
      );
      const connection = await visits.connectOrThrow(hostileConfig, sshd.target);
      expect(await visits.output(connection, 'printf', 'in')).toBe('in');
      expect([existsSync(trap), existsSync(shared)]).toEqual([false, false]);
      const changed = await visits.connect(hostileConfig, { ...sshd.target, hostKeys: [OTHER_HOST_KEY] });
      expect(changed).toMatchObject({ kind: 'host_key_changed', presentedKey: sshd.hostKey });
      expect(sshd.logins()).toBe(1);
    });

    test('does not trust a host key that is known only through the ssh_config', async () => {
      const sshd = await visits.start();
      const known = visits.write(`* ${sshd.hostKey}\n`);
      const configuredTransport = configured(`GlobalKnownHostsFile ${known}`);
      const failure = await visits.connect(configuredTransport, {
        ...sshd.target,
        hostKeys: [OTHER_HOST_KEY],
      });
      expect(failure).toMatchObject({ kind: 'host_key_changed', presentedKey: sshd.hostKey });
      expect(sshd.logins()).toBe(0);
    });
  });
});
