import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import net from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { OTHER_HOST_KEY } from '../../../../test/harness/keys.ts';
import { SshVisits, VISIT_LIMITS } from '../../../../test/harness/ssh/ssh-visits.ts';
import { describeWithSshd, freePort } from '../../../../test/harness/ssh/sshd.ts';
import { Secret } from '../../../domain/secret.ts';
import { newId } from '../../../lib/random.ts';
import { createOpenSshTransport } from './openssh-transport.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Longer than a busy machine takes. */
const SOON = { timeout: 10_000 };

describeWithSshd('logging in by the transport openssh', () => {
  const visits = new SshVisits();
  const transport = createOpenSshTransport();
  const configured = (...lines: string[]) =>
    createOpenSshTransport({ configFile: visits.write(lines.map(line => `${line}\n`).join('')) });
  const unreachable = (detail: RegExp) => ({ kind: 'unreachable', detail: expect.stringMatching(detail) });

  const environment = { ...process.env };
  afterEach(() => {
    process.env = { ...environment };
  });

  test('a host that has only keys of another type than before has changed, and its key is reported', async () => {
    const sshd = await visits.start({ hostKeyType: 'ecdsa' });
    const refused = await visits.connect(transport, { ...sshd.target, hostKeys: [OTHER_HOST_KEY] });
    expect(refused).toMatchObject({ kind: 'host_key_changed', presentedKey: sshd.hostKey });
    expect([sshd.logins(), sshd.log().includes(sshd.target.user)]).toEqual([0, false]);
  });

  test('a host with keys of several types is entered by the one that is known', async () => {
    const known = visits.newKey('ecdsa', '-t', 'ecdsa');
    const { target } = await visits.start({ config: [`HostKey ${visits.inside('ecdsa')}`] });
    const connection = await visits.enter(transport, { ...target, hostKeys: [known] });
    expect(connection.hostKey).toBe(known);
  });

  test('a host is reached by IPv6', async () => {
    const { target } = await visits.start({ address: '::1' });
    expect(await visits.output(await visits.enter(transport, target), 'printf', 'in')).toBe('in');
  });

  test('a user whose name looks like an option is a user', async () => {
    const { target } = await visits.start();
    const trap = visits.inside('trap');
    const user = `-oProxyCommand=touch ${trap}`;
    expect(await visits.connect(transport, { ...target, user })).toMatchObject({ kind: 'auth_rejected' });
    expect(existsSync(trap)).toBe(false);
  });

  test('a private key that cannot be read is reported without being shown', async () => {
    const { target } = await visits.start();
    const privateKey = new Secret(base64('-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n'));
    const refused = await visits.connect(transport, { ...target, privateKey });
    expect(refused).toMatchObject({ kind: 'auth_rejected', detail: 'the private key cannot be read' });
  });

  test('a server without ssh says what to install', async () => {
    const { target } = await visits.start();
    process.env['PATH'] = visits.folder;
    expect(await visits.connect(transport, target)).toMatchObject(unreachable(/install openssh-client/));
  });

  test('somebody who takes the connection and ends it is not taken for a host', async () => {
    const server = net.createServer(socket => socket.end());
    const port = await freePort();
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve));
    visits.atEnd(() => server.close());
    const { target } = await visits.start();
    expect(await visits.connect(transport, { ...target, port })).toMatchObject(
      unreachable(/before the SSH banner/),
    );
  });

  test.each([1, 2, 3])('what may not proceed at the moment %i does not get in', async moment => {
    const sshd = await visits.start();
    let calls = 0;
    const mayProceed = () => ++calls < moment;
    const answer = await visits.connect(transport, sshd.target, { ...VISIT_LIMITS, mayProceed });
    expect(answer).toMatchObject(unreachable(/aborted/));
    expect([calls >= moment, sshd.logins()]).toEqual([true, 0]);
  });

  describe('whatever is on this machine', () => {
    test('the agent of whoever runs the service is not asked', async () => {
      const { target } = await visits.start();
      let calls = 0;
      const agent = net.createServer(() => calls++);
      const socket = visits.inside('own-agent');
      await new Promise<void>(resolve => agent.listen(socket, resolve));
      visits.atEnd(() => agent.close());
      process.env['SSH_AUTH_SOCK'] = socket;
      await visits.enter(transport, target);
      expect(calls).toBe(0);
    });

    test('a host that does not take our key is offered no other', async () => {
      const [sshd, other] = [await visits.start(), await visits.start()];
      const { privateKey } = other.target;
      expect(await visits.connect(transport, { ...sshd.target, privateKey })).toMatchObject({
        kind: 'auth_rejected',
      });
      await expect
        .poll(() => /^Connection (?:closed|reset) by authenticating/m.test(sshd.log()), SOON)
        .toBe(true);
      expect(sshd.log().match(/^Failed publickey .* SHA256:\S+/gm)).toHaveLength(1);
    });

    test('a folder in which nothing can be made is reported', async () => {
      const { target } = await visits.start();
      const deletedFolder = mkdtempSync(visits.inside('gone-'));
      const elsewhere = createOpenSshTransport({ tempFolder: deletedFolder });
      rmdirSync(deletedFolder);
      expect(await visits.connect(elsewhere, target)).toMatchObject(
        unreachable(/could not be started: .*ENOENT/),
      );
    });

    test('a file that names keys for the host itself is refused, and nobody is connected to', async () => {
      const sshd = await visits.start();
      visits.newKey('own');
      const answer = await visits.connect(configured(`IdentityFile ${visits.inside('own')}`), sshd.target);
      expect(answer).toMatchObject(unreachable(/sets a key for this host \(IdentityFile .*own\)/));
      expect(sshd.logins()).toBe(0);
    });

    test('a file that is wrong or missing is reported', async () => {
      const { target } = await visits.start();
      const missing = createOpenSshTransport({ configFile: visits.inside(newId()) });
      for (const wrong of [configured('NoSuchSetting yes'), missing]) {
        expect(await visits.connect(wrong, target)).toMatchObject(unreachable(/openssh_config is invalid/));
      }
    });

    test('a file that asks for other manners changes nothing', async () => {
      const sshd = await visits.start();
      const [trap, shared] = [visits.inside('trap'), visits.inside('shared')];
      const hostileConfig = configured(
        ...['BatchMode no', 'RequestTTY force', 'RemoteCommand false', 'EscapeChar ~', 'LogLevel QUIET'],
        ...['PermitLocalCommand yes', `LocalCommand touch ${trap}`, 'ForwardAgent yes', 'ForwardX11 yes'],
        ...[
          'ControlMaster auto',
          `ControlPath ${shared}`,
          'ControlPersist 60',
          'ForkAfterAuthentication yes',
        ],
        ...['StrictHostKeyChecking no', 'NoHostAuthenticationForLocalhost yes', 'VerifyHostKeyDNS yes'],
        ...[`LocalForward ${await freePort()} 127.0.0.1:1`, 'User nobody', 'Port 1', 'IdentitiesOnly yes'],
        ...[
          'PreferredAuthentications password',
          'IdentityAgent none',
          'StdinNull yes',
          'SessionType default',
        ],
      );
      const connection = await visits.enter(hostileConfig, sshd.target);
      expect(await visits.output(connection, 'printf', 'in')).toBe('in');
      expect([existsSync(trap), existsSync(shared)]).toEqual([false, false]);
      const changed = await visits.connect(hostileConfig, { ...sshd.target, hostKeys: [OTHER_HOST_KEY] });
      expect(changed).toMatchObject({ kind: 'host_key_changed', presentedKey: sshd.hostKey });
      expect(sshd.logins()).toBe(1);
    });

    test('a key that only the file knows the host by is not taken for right', async () => {
      const sshd = await visits.start();
      const known = visits.write(`* ${sshd.hostKey}\n`);
      const transportOfFile = configured(`GlobalKnownHostsFile ${known}`);
      const refused = await visits.connect(transportOfFile, { ...sshd.target, hostKeys: [OTHER_HOST_KEY] });
      expect(refused).toMatchObject({ kind: 'host_key_changed', presentedKey: sshd.hostKey });
      expect(sshd.logins()).toBe(0);
    });
  });
});
