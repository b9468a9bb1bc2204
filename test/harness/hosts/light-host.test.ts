import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import { factsQuery } from '../../../src/drivers/os/facts.ts';
import { osDrivers } from '../../../src/drivers/os/index.ts';
import { until } from '../until.ts';
import { describeOnRealHosts } from './describe-on-real-hosts.ts';
import type { LightHost } from './light-host.ts';
import { loginKey } from './login-key.ts';
import { tryTool } from './run-tool.ts';
import { ssh } from './ssh.ts';
import { startLightHost, startLightHosts } from './start-light-host.ts';

/** The image below all hosts is built by the first who needs it. */
const BUILD_MS = 600_000;

const shellLine = (argv: Argv) => argv.map(word => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

describeOnRealHosts('a light host', () => {
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
  }, BUILD_MS);
  afterAll(() => host?.stop());

  test('is reached by ssh, and counts who was let in', async () => {
    const before = host.logins();
    expect(await ssh(host, 'root', 'hostname; cat /proc/1/comm')).toEqual({
      exitCode: 0,
      stdout: `${host.name}\ninit\n`,
      stderr: '',
    });
    expect(host.logins()).toBe(before + 1);
  });

  test('has users whose sudo asks for nothing, or for a password', async () => {
    expect((await ssh(host, 'free', 'sudo -n id -u')).stdout).toBe('0\n');
    const asked = await ssh(host, 'asked', 'sudo -n id -u');
    expect([asked.exitCode, asked.stdout]).toEqual([1, 'noise\n']);
    expect(asked.stderr).toContain('a password is required');
  });

  test.each([
    ['fish', 'echo $FISH_VERSION'],
    ['tcsh', 'echo $version'],
  ])('lets in a user of %s', async (user, command) => {
    expect(await ssh(host, user, command)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/\d/),
    });
  });

  test.each([
    ['reboot', 'reboot'],
    ['shutdown', 'shutdown -r now'],
    ['systemctl', 'systemctl reboot'],
  ])('really reboots by %s, and keeps its files', async (_how, command) => {
    const [before, boots] = [await host.bootId(), host.power.boots];
    await host.write('/etc/kept', 'here');
    await host.write('/run/lost', 'gone');
    expect((await ssh(host, 'root', command)).exitCode).toBe(0);
    await until('it boots', () => host.power.boots > boots);
    await until('it is back', async () => (await ssh(host, 'root', 'true')).exitCode === 0);
    expect(await host.bootId()).not.toBe(before);
    expect(await host.read('/etc/kept')).toBe('here');
    expect((await host.run(['cat', '/run/lost'])).exitCode).toBe(1);
    expect(Number((await host.read('/proc/uptime')).split(' ')[0])).toBeLessThan(60);
  });

  test('is away without power, and comes back as it was', async () => {
    const [before, key] = [await host.bootId(), host.hostKey];
    await host.powerOff();
    expect((await ssh(host, 'root', 'true')).stderr).toContain('Connection refused');
    await host.powerOn();
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
    expect([(await host.bootId()) === before, host.hostKey]).toEqual([false, key]);
  });

  test('stays away after a reboot if it is told to', async () => {
    host.power.staysOffAfterReboot = true;
    await ssh(host, 'root', 'systemctl reboot');
    await until('it is off', () => !host.power.isOn);
    host.power.staysOffAfterReboot = false;
    await host.powerOn();
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
  });

  test('cuts connections, and what was begun goes on', async () => {
    const session = ssh(
      host,
      'root',
      'touch /tmp/begun; while [ ! -e /tmp/go ]; do sleep 0.05; done; touch /tmp/done',
    );
    await until(
      'the command runs',
      async () => (await host.run(['test', '-e', '/tmp/begun'])).exitCode === 0,
    );
    await host.cut();
    expect((await session).exitCode).toBe(255);
    await host.write('/tmp/go', '');
    await until('the command ends', async () => (await host.run(['test', '-e', '/tmp/done'])).exitCode === 0);
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
  });

  test('says nothing while it is frozen', async () => {
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

  test('changes its host key', async () => {
    const before = host.hostKey;
    expect(await host.replaceHostKey()).not.toBe(before);
    expect(
      (await ssh({ ...host, address: host.address, port: host.port, hostKey: before }, 'root', 'true'))
        .stderr,
    ).toContain('HOST IDENTIFICATION HAS CHANGED');
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
  });

  test('lets in only whom it is told', async () => {
    await host.setAuthorizedKeys([]);
    expect((await ssh(host, 'root', 'true')).stderr).toContain('Permission denied');
    await host.setAuthorizedKeys([(await loginKey()).publicKey]);
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
  });
});

describeOnRealHosts('light hosts of other kinds', () => {
  test('say what they are', { timeout: BUILD_MS }, async () => {
    const identities = ['debian', 'centos', 'fedora-coreos', 'minimal'] as const;
    const hosts = await Promise.all(identities.map(identity => startLightHost({ identity })));
    const question = factsQuery(osDrivers);
    const said = await Promise.all(hosts.map(host => ssh(host, 'root', shellLine(question.argv))));
    const facts = said.map(({ exitCode, stdout }) =>
      question.parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.alloc(0) }),
    );
    expect(facts.map(each => [each?.os, each?.osDriver])).toEqual([
      ['debian', 'apt'],
      ['centos', 'dnf'],
      ['coreos', 'rpm-ostree'],
      ['other', ''],
    ]);
    await Promise.all(hosts.map(host => host.stop()));
  });

  test('a CoreOS host boots into what was staged, unless that is locked', async () => {
    const host = await startLightHost({ identity: 'fedora-coreos' });
    const version = async () => /^OSTREE_VERSION='(.*)'/m.exec(await host.read('/etc/os-release'))?.[1];
    await host.must(['rpm-ostree', 'deploy', '--lock-finalization', 'version=43.20260119.3.0']);
    await host.reboot();
    expect(await version()).toBe('43.20260105.3.0');
    await host.must(['rpm-ostree', 'upgrade']);
    await host.reboot();
    expect(await version()).toBe('43.20260202.3.0');
    await host.stop();
  });

  test('listen on IPv6, show the keys and speak the ciphers that they are told to', async () => {
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

  test('may be switched on later', async () => {
    const host = await startLightHost({ identity: 'minimal', isOff: true });
    expect((await ssh(host, 'root', 'true')).stderr).toContain('Connection refused');
    await host.powerOn();
    expect((await ssh(host, 'root', 'true')).exitCode).toBe(0);
    await host.stop();
  });

  test('can be many, each with an address of its own', async () => {
    const hosts = await startLightHosts(12, { identity: 'debian' });
    expect(new Set(hosts.map(({ address }) => address)).size).toBe(12);
    expect(new Set(await Promise.all(hosts.map(host => host.bootId()))).size).toBe(12);
    await Promise.all(hosts.map(host => host.stop()));
  });
});
