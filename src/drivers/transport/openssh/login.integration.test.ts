import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import net from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { OTHER_HOST_KEY } from '../../../../test/harness/credentials.ts';
import { freePort } from '../../../../test/harness/http/sockets.ts';
import { describeWithSshd } from '../../../../test/harness/ssh/sshd.ts';
import { CONNECTION_LIMITS, SshdFixture } from '../../../../test/harness/ssh/sshd-fixtures.ts';
import { Secret } from '../../../domain/secret.ts';
import { newId } from '../../../lib/random.ts';
import { createOpenSshTransport } from './openssh-transport.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

const POLL_OPTIONS = { timeout: 10_000 };

describeWithSshd('openssh login', () => {
  const fixture = new SshdFixture();
  const transport = createOpenSshTransport();
  const configured = (...lines: string[]) =>
    createOpenSshTransport({ configFile: fixture.write(lines.map(line => `${line}\n`).join('')) });
  const unreachable = (detail: RegExp) => ({ kind: 'unreachable', detail: expect.stringMatching(detail) });

  afterEach(() => vi.unstubAllEnvs());

  test('reports a changed key if the host has only keys of other types', async () => {
    const sshd = await fixture.start({ hostKeyType: 'ecdsa' });
    const failure = await fixture.connect(transport, { ...sshd.target, hostKeys: [OTHER_HOST_KEY] });
    expect(failure).toMatchObject({ kind: 'host_key_changed', presentedKey: sshd.hostKey });
    expect([sshd.logins(), sshd.log().includes(sshd.target.user)]).toEqual([0, false]);
  });

  test('uses the known key of a host with several key types', async () => {
    const known = fixture.newKey('ecdsa', '-t', 'ecdsa');
    const { target } = await fixture.start({ config: [`HostKey ${fixture.filePath('ecdsa')}`] });
    const connection = await fixture.connectOrThrow(transport, { ...target, hostKeys: [known] });
    expect(connection.hostKey).toBe(known);
  });

  test('connects over IPv6', async () => {
    const { target } = await fixture.start({ address: '::1' });
    expect(await fixture.output(await fixture.connectOrThrow(transport, target), 'printf', 'in')).toBe('in');
  });

  test('does not treat a user name with a leading dash as an option', async () => {
    const { target } = await fixture.start();
    const trap = fixture.filePath('trap');
    const user = `-oProxyCommand=touch ${trap}`;
    expect(await fixture.connect(transport, { ...target, user })).toMatchObject({ kind: 'auth_rejected' });
    expect(existsSync(trap)).toBe(false);
  });

  test('reports an unreadable private key without revealing it', async () => {
    const { target } = await fixture.start();
    const privateKey = new Secret(base64('-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n'));
    const failure = await fixture.connect(transport, { ...target, privateKey });
    expect(failure).toMatchObject({ kind: 'auth_rejected', detail: 'the private key cannot be read' });
  });

  test('names the missing package if ssh is not installed', async () => {
    const { target } = await fixture.start();
    vi.stubEnv('PATH', fixture.folder);
    expect(await fixture.connect(transport, target)).toMatchObject(unreachable(/install openssh-client/));
  });

  test('reports a connection that is closed before the SSH banner', async () => {
    const server = net.createServer(socket => socket.end());
    const port = await freePort();
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
    fixture.addCleanup(() => server.close());
    const { target } = await fixture.start();
    expect(await fixture.connect(transport, { ...target, port })).toMatchObject(unreachable(/before the SSH banner/));
  });

  test.each([1, 2, 3])('stops before the login if mayProceed returns false at call %i', async callNumber => {
    const sshd = await fixture.start();
    let calls = 0;
    const mayProceed = () => ++calls < callNumber;
    const failure = await fixture.connect(transport, sshd.target, { ...CONNECTION_LIMITS, mayProceed });
    expect(failure).toMatchObject(unreachable(/aborted/));
    expect([calls >= callNumber, sshd.logins()]).toEqual([true, 0]);
  });

  describe('isolation from the server machine', () => {
    test('ignores the SSH agent of the service account', async () => {
      const { target } = await fixture.start();
      let calls = 0;
      const agent = net.createServer(() => calls++);
      const socket = fixture.filePath('own-agent');
      await new Promise<void>(resolve => agent.listen(socket, resolve));
      fixture.addCleanup(() => agent.close());
      vi.stubEnv('SSH_AUTH_SOCK', socket);
      await fixture.connectOrThrow(transport, target);
      expect(calls).toBe(0);
    });

    test('offers no other key to a host that rejects the key', async () => {
      const [sshd, other] = [await fixture.start(), await fixture.start()];
      const { privateKey } = other.target;
      expect(await fixture.connect(transport, { ...sshd.target, privateKey })).toMatchObject({
        kind: 'auth_rejected',
      });
      await expect
        .poll(() => /^Connection (?:closed|reset) by authenticating/m.test(sshd.log()), POLL_OPTIONS)
        .toBe(true);
      expect(sshd.log().match(/^Failed publickey .* SHA256:\S+/gm)).toHaveLength(1);
    });

    test('reports a temporary directory that is not writable', async () => {
      const { target } = await fixture.start();
      const deletedFolder = mkdtempSync(fixture.filePath('gone-'));
      const transportWithoutFolder = createOpenSshTransport({ tempFolder: deletedFolder });
      rmdirSync(deletedFolder);
      expect(await fixture.connect(transportWithoutFolder, target)).toMatchObject(
        unreachable(/could not be started: .*ENOENT/),
      );
    });

    test('rejects an ssh_config with an IdentityFile for the host without connecting', async () => {
      const sshd = await fixture.start();
      fixture.newKey('own');
      const failure = await fixture.connect(configured(`IdentityFile ${fixture.filePath('own')}`), sshd.target);
      expect(failure).toMatchObject(unreachable(/sets a key for this host \(IdentityFile .*own\)/));
      expect(sshd.logins()).toBe(0);
    });

    test('reports an invalid or missing ssh_config', async () => {
      const { target } = await fixture.start();
      const missing = createOpenSshTransport({ configFile: fixture.filePath(newId()) });
      for (const invalid of [configured('NoSuchSetting yes'), missing]) {
        expect(await fixture.connect(invalid, target)).toMatchObject(unreachable(/openssh_config is invalid/));
      }
    });

    test('overrides unsafe settings in the ssh_config', async () => {
      const sshd = await fixture.start();
      const [trap, shared] = [fixture.filePath('trap'), fixture.filePath('shared')];
      const hostileConfig = configured(
        ...['BatchMode no', 'RequestTTY force', 'RemoteCommand false', 'EscapeChar ~', 'LogLevel QUIET'],
        ...['PermitLocalCommand yes', `LocalCommand touch ${trap}`, 'ForwardAgent yes', 'ForwardX11 yes'],
        ...['ControlMaster auto', `ControlPath ${shared}`, 'ControlPersist 60', 'ForkAfterAuthentication yes'],
        ...['StrictHostKeyChecking no', 'NoHostAuthenticationForLocalhost yes', 'VerifyHostKeyDNS yes'],
        ...[`LocalForward ${await freePort()} 127.0.0.1:1`, 'User nobody', 'Port 1', 'IdentitiesOnly yes'],
        ...['PreferredAuthentications password', 'IdentityAgent none', 'StdinNull yes', 'SessionType default'],
      );
      const connection = await fixture.connectOrThrow(hostileConfig, sshd.target);
      expect(await fixture.output(connection, 'printf', 'in')).toBe('in');
      expect([existsSync(trap), existsSync(shared)]).toEqual([false, false]);
      const changed = await fixture.connect(hostileConfig, { ...sshd.target, hostKeys: [OTHER_HOST_KEY] });
      expect(changed).toMatchObject({ kind: 'host_key_changed', presentedKey: sshd.hostKey });
      expect(sshd.logins()).toBe(1);
    });

    test('does not trust a host key that is known only through the ssh_config', async () => {
      const sshd = await fixture.start();
      const known = fixture.write(`* ${sshd.hostKey}\n`);
      const configuredTransport = configured(`GlobalKnownHostsFile ${known}`);
      const failure = await fixture.connect(configuredTransport, {
        ...sshd.target,
        hostKeys: [OTHER_HOST_KEY],
      });
      expect(failure).toMatchObject({ kind: 'host_key_changed', presentedKey: sshd.hostKey });
      expect(sshd.logins()).toBe(0);
    });
  });
});
