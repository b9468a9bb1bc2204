import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import { factsQuery } from '../../../src/drivers/os/facts.ts';
import { osDrivers } from '../../../src/drivers/os/index.ts';
import { tryTool } from '../programs/run-tool.ts';
import { waitUntil } from '../wait-until.ts';
import { describeOnRealHosts, IMAGE_BUILD_MS } from './describe-on-real-hosts.ts';
import { loginKey, ssh } from './host-access.ts';
import type { LightHost } from './light-host.ts';
import { startLightHost, startLightHosts } from './light-host.ts';

const quoteCommand = (argv: Argv) => argv.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

describeOnRealHosts('light host', () => {
  let host: LightHost;
  beforeAll(async () => {
    host = await startLightHost({
      identity: 'debian',
      users: [
        { name: 'free', shell: '/bin/sh', sudo: 'free' },
        { name: 'asked', shell: '/bin/bash', sudo: 'with password', profile: 'echo noise\n' },
        { name: 'fish', shell: '/usr/bin/fish', sudo: 'none' },
        { name: 'tcsh', shell: '/bin/tcsh', sudo: 'none' },
      ],
    });
  }, IMAGE_BUILD_MS);
  afterAll(() => host?.stop());

  test('accepts SSH logins and counts them', async () => {
    const before = host.logins();
    expect(await ssh(host, 'root', 'hostname; cat /proc/1/comm')).toEqual({
      exitCode: 0,
      stdout: `${host.name}\ninit\n`,
      stderr: '',
    });
    expect(host.logins()).toBe(before + 1);
  });

  test('supports users with passwordless sudo and with a sudo password', async () => {
    expect((await ssh(host, 'free', 'sudo -n id -u')).stdout).toBe('0\n');
    const denied = await ssh(host, 'asked', 'sudo -n id -u');
    expect([denied.exitCode, denied.stdout]).toEqual([1, 'noise\n']);
    expect(denied.stderr).toContain('a password is required');
  });

  test.each([
    ['fish', 'echo $FISH_VERSION'],
    ['tcsh', 'echo $version'],
  ])('accepts logins of a user with the shell %s', async (user, command) => {
    expect(await ssh(host, user, command)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/\d/),
    });
  });

  test.each([
    ['reboot', 'reboot'],
    ['shutdown', 'shutdown -r now'],
    ['systemctl', 'systemctl reboot'],
  ])('%s reboots the host and keeps its files', async (_command, command) => {
    const [before, boots] = [await host.bootId(), host.hostProcess.boots];
    await host.write('/etc/saved', 'here');
    await host.write('/run/lost', 'gone');
    expect((await ssh(host, 'root', command)).exitCode).toBe(0);
    await waitUntil('the host boots', () => host.hostProcess.boots > boots);
    await waitUntil('the host accepts logins', async () => (await ssh(host, 'root', 'true')).exitCode === 0);
    expect(await host.bootId()).not.toBe(before);
    expect(await host.read('/etc/saved')).toBe('here');
    expect((await host.run(['cat', '/run/lost'])).exitCode).toBe(1);
    expect(Number((await host.read('/proc/uptime')).split(' ')[0])).toBeLessThan(60);
  });

  test('refuses connections without power and keeps its host key', async () => {
    const [before, key] = [await host.bootId(), host.hostKey];
    await host.powerOff();
    expect((await ssh(host, 'root', 'true')).stderr).toContain('Connection refused');
    await host.powerOn();
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
    expect([(await host.bootId()) === before, host.hostKey]).toEqual([false, key]);
  });

  test('stays off after a reboot if staysOffAfterReboot is set', async () => {
    host.hostProcess.staysOffAfterReboot = true;
    await ssh(host, 'root', 'systemctl reboot');
    await waitUntil('the host is off', () => !host.hostProcess.isRunning);
    host.hostProcess.staysOffAfterReboot = false;
    await host.powerOn();
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
  });

  test('cutConnections breaks connections but not the running command', async () => {
    const session = ssh(host, 'root', 'touch /tmp/begun; while [ ! -e /tmp/go ]; do sleep 0.05; done; touch /tmp/done');
    await waitUntil('the command runs', async () => (await host.run(['test', '-e', '/tmp/begun'])).exitCode === 0);
    await host.cutConnections();
    expect((await session).exitCode).toBe(255);
    await host.write('/tmp/go', '');
    await waitUntil('the command ends', async () => (await host.run(['test', '-e', '/tmp/done'])).exitCode === 0);
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
  });

  test('does not respond while frozen', async () => {
    await host.freeze();
    let hasEnded = false;
    const session = ssh(host, 'root', 'echo late').finally(() => {
      hasEnded = true;
    });
    const states = await host.run(['ps', '-C', 'sshd', '-o', 'stat=']);
    expect([states.stdout.trim().startsWith('T'), hasEnded]).toEqual([true, false]);
    await host.thaw();
    expect((await session).stdout).toBe('late\n');
  });

  test('replaceHostKey changes the host key', async () => {
    const before = host.hostKey;
    expect(await host.replaceHostKey()).not.toBe(before);
    expect(
      (await ssh({ ...host, address: host.address, port: host.port, hostKey: before }, 'root', 'true')).stderr,
    ).toContain('HOST IDENTIFICATION HAS CHANGED');
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
  });

  test('accepts only authorized keys', async () => {
    await host.setAuthorizedKeys([]);
    expect((await ssh(host, 'root', 'true')).stderr).toContain('Permission denied');
    await host.setAuthorizedKeys([(await loginKey()).publicKey]);
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
  });
});

describeOnRealHosts('light hosts by identity', () => {
  test('report the expected facts for every identity', { timeout: IMAGE_BUILD_MS }, async () => {
    const identities = ['debian', 'centos', 'fedora-coreos', 'minimal'] as const;
    const hosts = await Promise.all(identities.map(identity => startLightHost({ identity })));
    const query = factsQuery(osDrivers);
    const results = await Promise.all(hosts.map(host => ssh(host, 'root', quoteCommand(query.argv))));
    const facts = results.map(({ exitCode, stdout }) =>
      query.parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.alloc(0) }),
    );
    expect(facts.map(hostFacts => [hostFacts?.os, hostFacts?.osDriver])).toEqual([
      ['debian', 'apt'],
      ['centos', 'dnf'],
      ['coreos', 'rpm-ostree'],
      ['other', ''],
    ]);
    await Promise.all(hosts.map(host => host.stop()));
  });

  test('a CoreOS host boots a staged deployment unless it is locked', async () => {
    const host = await startLightHost({ identity: 'fedora-coreos' });
    const version = async () => /^OSTREE_VERSION='(.*)'/m.exec(await host.read('/etc/os-release'))?.[1];
    await host.runChecked(['rpm-ostree', 'deploy', '--lock-finalization', 'version=43.20260119.3.0']);
    await host.reboot();
    expect(await version()).toBe('43.20260105.3.0');
    await host.runChecked(['rpm-ostree', 'upgrade']);
    await host.reboot();
    expect(await version()).toBe('43.20260202.3.0');
    await host.stop();
  });

  test('support IPv6, other host key types and sshd options', async () => {
    const host = await startLightHost({
      identity: 'minimal',
      isIpv6: true,
      hostKeyTypes: ['ecdsa'],
      sshdOptions: ['Ciphers aes256-ctr'],
    });
    expect(host.hostKey).toMatch(/^ecdsa-sha2-nistp256 \S+$/);
    expect((await ssh(host, 'root', 'echo $SSH_CONNECTION')).stdout).toContain(`::1 ${host.port}`);
    const other = ['-F', 'none', '-o', 'BatchMode=yes', '-o', 'Ciphers=aes128-ctr', '-p', String(host.port)];
    expect((await tryTool(['ssh', ...other, host.address, 'true'])).stderr).toContain(
      'no matching cipher found. Their offer: aes256-ctr',
    );
    await host.stop();
  });

  test('a host created with isOff can be started later', async () => {
    const host = await startLightHost({ identity: 'minimal', isOff: true });
    expect((await ssh(host, 'root', 'true')).stderr).toContain('Connection refused');
    await host.powerOn();
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
    await host.stop();
  });

  test('startLightHosts gives each host its own address and boot ID', async () => {
    const hosts = await startLightHosts(12, { identity: 'debian' });
    expect(new Set(hosts.map(({ address }) => address)).size).toBe(12);
    expect(new Set(await Promise.all(hosts.map(host => host.bootId()))).size).toBe(12);
    await Promise.all(hosts.map(host => host.stop()));
  });
});
