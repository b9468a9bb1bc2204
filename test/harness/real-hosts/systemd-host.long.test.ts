import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Argv } from '../../../src/domain/command.ts';
import { rpmOstree } from '../../../src/drivers/os/rpm-ostree/rpm-ostree.ts';
import { runCommand } from '../programs/process.ts';
import { waitUntil } from '../wait-until.ts';
import { describeOnSystemdHosts, IMAGE_BUILD_MS } from './describe-on-real-hosts.ts';
import { ssh } from './host-access.ts';
import { COREOS_VERSIONS } from './light-host-layers.ts';
import { INSTALL_BLOCK_FILE } from './package-repositories.ts';
import { packageServer } from './package-server.ts';
import { removeLeftovers } from './run-folder.ts';
import { startSystemdHost } from './start-systemd-host.ts';
import type { SystemdHost } from './systemd-host.ts';
import type { SystemdKind } from './systemd-kinds.ts';

function startHostForSuite(kind: SystemdKind): () => SystemdHost {
  let host: SystemdHost | undefined;
  beforeAll(async () => {
    host = await startSystemdHost({ kind, users: [{ name: 'core', shell: '/bin/bash', sudo: 'free' }] });
  }, IMAGE_BUILD_MS);
  afterAll(() => host?.stop());
  return () => {
    if (!host) throw new Error('the host has not started');
    return host;
  };
}

const APT_GET = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qy'] as const;

describeOnSystemdHosts('systemd host with apt', () => {
  const host = startHostForSuite('apt');

  test('starts all units and accepts logins of its users', async () => {
    expect(await host().state()).toBe('running');
    expect((await ssh(host(), 'core', 'sudo -n cat /proc/1/comm')).stdout).toBe('systemd\n');
  });

  test('reboots with a new boot ID and the same files', async () => {
    const [before, { boots }] = [await host().bootId(), host().hostProcess];
    await host().write('/etc/saved', 'here');
    // The connection may close before the result arrives.
    await ssh(host(), 'root', 'systemctl reboot');
    await waitUntil('the host boots', () => host().hostProcess.boots > boots);
    await waitUntil('the host accepts logins', async () => (await ssh(host(), 'root', 'true', 1)).exitCode === 0);
    expect(await host().bootId()).not.toBe(before);
    expect(await host().read('/etc/saved')).toBe('here');
    expect(await host().state()).toBe('running');
  });

  test('upgrades a package with a slow install script and requests a reboot', async () => {
    const packages = await packageServer();
    packages.setVersion('1.0');
    packages.isBroken = true;
    expect((await host().run([...APT_GET, '-o', 'Acquire::Retries=0', '--error-on=any', 'update'])).exitCode).toBe(100);
    packages.isBroken = false;
    await host().runChecked([...APT_GET, 'update']);
    await host().runChecked([...APT_GET, 'install', 'toyd']);
    expect(await host().read('/usr/share/toyd/version')).toBe('1.0\n');

    packages.setVersion('2.0');
    await host().write(INSTALL_BLOCK_FILE, '');
    await host().runChecked([...APT_GET, 'update']);
    const upgrade = host().runChecked([...APT_GET, 'upgrade']);
    await waitUntil(
      'the script waits',
      async () => (await host().run(['pgrep', '-f', 'toyd.postinst'])).exitCode === 0,
    );
    expect((await host().run(['test', '-e', '/run/reboot-required'])).exitCode).toBe(1);
    await host().runChecked(['rm', INSTALL_BLOCK_FILE]);
    await upgrade;
    expect(await host().read('/usr/share/toyd/version')).toBe('2.0\n');
    await host().runChecked(['test', '-e', '/run/reboot-required']);
    await host().reboot();
    expect((await host().run(['test', '-e', '/run/reboot-required'])).exitCode).toBe(1);
  });

  test('does not respond while its network is disconnected', async () => {
    await host().disconnectNetwork();
    expect((await ssh(host(), 'root', 'true', 1)).stderr).toMatch(/timed out|No route/);
    await host().connectNetwork();
    await waitUntil('the host accepts logins', async () => (await ssh(host(), 'root', 'true', 1)).exitCode === 0);
  });

  test('cutConnections breaks connections, and powerOff stops the host', async () => {
    const session = ssh(host(), 'root', 'touch /run/begun; sleep 600');
    await waitUntil('the command runs', async () => (await host().run(['test', '-e', '/run/begun'])).exitCode === 0);
    await host().cutConnections();
    expect((await session).exitCode).toBe(255);
    await host().powerOff();
    expect((await ssh(host(), 'root', 'true', 1)).exitCode).toBe(255);
    await host().powerOn();
    expect((await ssh(host(), 'root', 'true')).exitCode).toBe(0);
  });
});

describeOnSystemdHosts('systemd host with dnf', () => {
  const host = startHostForSuite('dnf');

  test('upgrades packages and requires a reboot after a kernel update', async () => {
    const packages = await packageServer();
    packages.setVersion('1.0');
    expect(await host().state()).toBe('running');
    await host().runChecked(['dnf', '-y', 'install', 'fedora-release', 'toyd']);
    expect((await host().run(['dnf', '-q', '--refresh', 'check-update'])).exitCode).toBe(0);
    packages.setVersion('2.0');
    expect((await host().run(['dnf', '-q', '--refresh', 'check-update'])).exitCode).toBe(100);
    await host().runChecked(['dnf', '-y', 'upgrade']);
    expect(await host().read('/usr/share/toyd/version')).toBe('2.0\n');
    expect((await host().run(['dnf', '-y', 'needs-restarting', '-r'])).exitCode).toBe(0);
    await host().runChecked(['dnf', '-y', 'install', 'kernel']);
    expect((await host().run(['dnf', '-y', 'needs-restarting', '-r'])).exitCode).toBe(1);
    await host().reboot();
    expect((await host().run(['dnf', '-y', 'needs-restarting', '-r'])).exitCode).toBe(0);
  });
});

describeOnSystemdHosts('systemd host with OSTree', () => {
  const host = startHostForSuite('ostree');
  const [first, second, third] = COREOS_VERSIONS;
  const runAll = async (commands: readonly Argv[] = []) => {
    for (const argv of commands) await host().runChecked(argv);
  };
  const deployments = async () => {
    const query = rpmOstree.image?.deployments;
    const { exitCode, stdout } = await host().run(query?.argv ?? ['false']);
    return query?.parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from('') });
  };
  const versions = async () => {
    const { booted, staged } = (await deployments()) ?? {};
    return [booted?.version, staged?.version];
  };

  test('boots the first version from its own disk', async () => {
    expect(await host().state()).toBe('running');
    expect(await versions()).toEqual([first, undefined]);
    expect((await host().run(['touch', '/usr/x'])).stderr).toContain('Read-only');
    expect((await ssh(host(), 'core', 'sudo -n id -u')).stdout).toBe('0\n');
  });

  test('drops a locked version when it reboots by itself', async () => {
    await runAll(rpmOstree.image?.stage(second));
    expect(await versions()).toEqual([first, second]);
    await host().reboot();
    expect(await versions()).toEqual([first, undefined]);
  });

  test('reboots into a finalized version', async () => {
    await host().write('/etc/saved', 'here');
    await runAll(rpmOstree.image?.stage(second));
    const staged = (await deployments())?.staged;
    if (!staged) throw new Error('nothing is staged');
    const { boots } = host().hostProcess;
    await runAll(rpmOstree.image?.finalize(staged).commands);
    await waitUntil('the host boots', () => host().hostProcess.boots > boots);
    await waitUntil('the host accepts logins', async () => (await ssh(host(), 'root', 'true', 1)).exitCode === 0);
    expect(await versions()).toEqual([second, undefined]);
    expect(await host().read('/etc/os-release')).toContain(`OSTREE_VERSION='${second}'`);
    expect(await host().read('/etc/saved')).toBe('here');
  });

  test('upgrades to the newest version', async () => {
    await runAll([...rpmOstree.upgrade.stage, ...rpmOstree.upgrade.apply]);
    await host().reboot();
    expect(await versions()).toEqual([third, undefined]);
  });
});

const HOLDER = `
import { startSystemdHost } from './test/harness/real-hosts/start-systemd-host.ts';
const host = await startSystemdHost({ kind: 'apt' });
console.log(['has', await host.firstProcess(), host.name, 'ready'].join(' '));
`;

describeOnSystemdHosts('cleanup of a systemd host after a killed process', () => {
  test('the host ends with the process, and the next process removes the rest', {
    timeout: IMAGE_BUILD_MS,
  }, async () => {
    const holder = runCommand(process.execPath, ['--input-type=module', '-e', HOLDER], {});
    const [, first, name = ''] = (await holder.waitForOutput(/has .* ready/)).split(' ');
    const run = /^s(\d+)-/.exec(name)?.[1];
    expect(existsSync(`/sys/class/net/vb-${name}`)).toBe(true);
    await holder.kill('SIGKILL');
    await waitUntil('its host is gone', () => !existsSync(`/proc/${first}`));
    await removeLeftovers();
    await waitUntil('its network card is gone', () => !existsSync(`/sys/class/net/vb-${name}`));
    expect(existsSync(`/sys/class/net/hostler${run}`)).toBe(false);
  });
});
