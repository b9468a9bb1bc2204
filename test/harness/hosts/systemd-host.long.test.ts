import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import { rpmOstree } from '../../../src/drivers/os/rpm-ostree/rpm-ostree.ts';
import { runCommand } from '../programs/process.ts';
import { until } from '../until.ts';
import { describeOnSystemdHosts } from './describe-on-real-hosts.ts';
import { COREOS_VERSIONS } from './identities.ts';
import { TOY_HOLD } from './package-repositories.ts';
import { packageServer } from './package-server.ts';
import { removeLeftovers } from './run-folder.ts';
import { ssh } from './ssh.ts';
import { startSystemdHost } from './start-systemd-host.ts';
import type { SystemdHost } from './systemd-host.ts';
import type { SystemdKind } from './systemd-kinds.ts';

/** The images are built by the first who needs them. */
const BUILD_MS = 900_000;
const TEST_MS = 120_000;

function withHost(kind: SystemdKind): () => SystemdHost {
  let host: SystemdHost | undefined;
  beforeAll(async () => {
    host = await startSystemdHost({ kind, users: [{ name: 'core', shell: '/bin/bash', sudo: 'free' }] });
  }, BUILD_MS);
  afterAll(() => host?.stop());
  return () => {
    if (!host) throw new Error('there is no host');
    return host;
  };
}

const APT_GET = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qy'] as const;

describeOnSystemdHosts('a systemd host with apt', () => {
  const host = withHost('apt');

  test('runs all that it starts, and lets in its users', async () => {
    expect(await host().state()).toBe('running');
    expect((await ssh(host(), 'core', 'sudo -n cat /proc/1/comm')).stdout).toBe('systemd\n');
  });

  test('really reboots, with another boot id and the same files', { timeout: TEST_MS }, async () => {
    const [before, { boots }] = [await host().bootId(), host().power];
    await host().write('/etc/kept', 'here');
    // The connection may go down before the answer is there.
    await ssh(host(), 'root', 'systemctl reboot');
    await until('it boots', () => host().power.boots > boots);
    await until('it is back', async () => (await ssh(host(), 'root', 'true', 1)).exitCode === 0);
    expect(await host().bootId()).not.toBe(before);
    expect(await host().read('/etc/kept')).toBe('here');
    expect(await host().state()).toBe('running');
  });

  test('upgrades a package, however long its script takes, and says that it wants a reboot', {
    timeout: TEST_MS,
  }, async () => {
    const packages = await packageServer();
    packages.offer('1.0');
    packages.isBroken = true;
    expect(
      (await host().run([...APT_GET, '-o', 'Acquire::Retries=0', '--error-on=any', 'update'])).exitCode,
    ).toBe(100);
    packages.isBroken = false;
    await host().must([...APT_GET, 'update']);
    await host().must([...APT_GET, 'install', 'toyd']);
    expect(await host().read('/usr/share/toyd/version')).toBe('1.0\n');

    packages.offer('2.0');
    await host().write(TOY_HOLD, '');
    await host().must([...APT_GET, 'update']);
    const upgrade = host().must([...APT_GET, 'upgrade']);
    await until(
      'the script waits',
      async () => (await host().run(['pgrep', '-f', 'toyd.postinst'])).exitCode === 0,
    );
    expect((await host().run(['test', '-e', '/run/reboot-required'])).exitCode).toBe(1);
    await host().must(['rm', TOY_HOLD]);
    await upgrade;
    expect(await host().read('/usr/share/toyd/version')).toBe('2.0\n');
    await host().must(['test', '-e', '/run/reboot-required']);
    await host().reboot();
    expect((await host().run(['test', '-e', '/run/reboot-required'])).exitCode).toBe(1);
  });

  test('is silent without its cable', { timeout: TEST_MS }, async () => {
    await host().unplug();
    expect((await ssh(host(), 'root', 'true', 1)).stderr).toMatch(/timed out|No route/);
    await host().plug();
    await until('it is back', async () => (await ssh(host(), 'root', 'true', 1)).exitCode === 0);
  });

  test('cuts connections, and has no power when it is off', { timeout: TEST_MS }, async () => {
    const session = ssh(host(), 'root', 'touch /run/begun; sleep 600');
    await until('it runs', async () => (await host().run(['test', '-e', '/run/begun'])).exitCode === 0);
    await host().cut();
    expect((await session).exitCode).toBe(255);
    await host().powerOff();
    expect((await ssh(host(), 'root', 'true', 1)).exitCode).toBe(255);
    await host().powerOn();
    expect((await ssh(host(), 'root', 'true')).exitCode).toBe(0);
  });
});

describeOnSystemdHosts('a systemd host with dnf', () => {
  const host = withHost('dnf');

  test('upgrades packages, and wants a reboot after a kernel', { timeout: TEST_MS }, async () => {
    const packages = await packageServer();
    packages.offer('1.0');
    expect(await host().state()).toBe('running');
    await host().must(['dnf', '-y', 'install', 'fedora-release', 'toyd']);
    expect((await host().run(['dnf', '-q', '--refresh', 'check-update'])).exitCode).toBe(0);
    packages.offer('2.0');
    expect((await host().run(['dnf', '-q', '--refresh', 'check-update'])).exitCode).toBe(100);
    await host().must(['dnf', '-y', 'upgrade']);
    expect(await host().read('/usr/share/toyd/version')).toBe('2.0\n');
    expect((await host().run(['dnf', '-y', 'needs-restarting', '-r'])).exitCode).toBe(0);
    await host().must(['dnf', '-y', 'install', 'kernel']);
    expect((await host().run(['dnf', '-y', 'needs-restarting', '-r'])).exitCode).toBe(1);
    await host().reboot();
    expect((await host().run(['dnf', '-y', 'needs-restarting', '-r'])).exitCode).toBe(0);
  });
});

describeOnSystemdHosts('a systemd host with OSTree', () => {
  const host = withHost('ostree');
  const [first, second, third] = COREOS_VERSIONS;
  const all = async (commands: readonly Argv[] = []) => {
    for (const argv of commands) await host().must(argv);
  };
  const deployments = async () => {
    const question = rpmOstree.image?.deployments;
    const { exitCode, stdout } = await host().run(question?.argv ?? ['false']);
    return question?.parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from('') });
  };
  const versions = async () => {
    const { booted, staged } = (await deployments()) ?? {};
    return [booted?.version, staged?.version];
  };

  test('runs the first version, from a disk that is its own', async () => {
    expect(await host().state()).toBe('running');
    expect(await versions()).toEqual([first, undefined]);
    expect((await host().run(['touch', '/usr/x'])).stderr).toContain('Read-only');
    expect((await ssh(host(), 'core', 'sudo -n id -u')).stdout).toBe('0\n');
  });

  test('drops a locked version when it reboots by itself', { timeout: TEST_MS }, async () => {
    await all(rpmOstree.image?.stage(second));
    expect(await versions()).toEqual([first, second]);
    await host().reboot();
    expect(await versions()).toEqual([first, undefined]);
  });

  test('reboots into a version that is finalized', { timeout: TEST_MS }, async () => {
    await host().write('/etc/kept', 'here');
    await all(rpmOstree.image?.stage(second));
    const staged = (await deployments())?.staged;
    if (!staged) throw new Error('nothing is staged');
    const { boots } = host().power;
    await all(rpmOstree.image?.finalize(staged).commands);
    await until('it boots', () => host().power.boots > boots);
    await until('it is back', async () => (await ssh(host(), 'root', 'true', 1)).exitCode === 0);
    expect(await versions()).toEqual([second, undefined]);
    expect(await host().read('/etc/os-release')).toContain(`OSTREE_VERSION='${second}'`);
    expect(await host().read('/etc/kept')).toBe('here');
  });

  test('upgrades to the newest', { timeout: TEST_MS }, async () => {
    await all([...rpmOstree.upgrade.stage, ...rpmOstree.upgrade.apply]);
    await host().reboot();
    expect(await versions()).toEqual([third, undefined]);
  });
});

const HOLDER = `
import { startSystemdHost } from './test/harness/hosts/start-systemd-host.ts';
const host = await startSystemdHost({ kind: 'apt' });
console.log(['has', await host.firstProcess(), host.name, 'ready'].join(' '));
`;

describeOnSystemdHosts('a process with a systemd host that is killed', () => {
  test('takes it along, and the next removes the rest', { timeout: BUILD_MS }, async () => {
    const holder = runCommand(process.execPath, ['--input-type=module', '-e', HOLDER], {});
    const [, first, name = ''] = (await holder.says(/has .* ready/)).split(' ');
    const run = /^s(\d+)-/.exec(name)?.[1];
    expect(existsSync(`/sys/class/net/vb-${name}`)).toBe(true);
    await holder.kill('SIGKILL');
    await until('its host is gone', () => !existsSync(`/proc/${first}`));
    await removeLeftovers();
    await until('its network card is gone', () => !existsSync(`/sys/class/net/vb-${name}`));
    expect(existsSync(`/sys/class/net/hostler${run}`)).toBe(false);
  });
});
