// What OS drivers ask before and after an upgrade, answered by real package managers and a real systemd.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Argv, HostQuery } from '../../src/domain/command.ts';
import { apt } from '../../src/drivers/os/apt/apt.ts';
import { dnf } from '../../src/drivers/os/dnf/dnf.ts';
import { createOsRegistry } from '../../src/drivers/os/index.ts';
import { describeOnSystemdHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { packageServer } from '../harness/hosts/package-server.ts';
import { startSystemdHost } from '../harness/hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/hosts/systemd-host.ts';
import { until } from '../harness/until.ts';
import { FIRST_BUILD_MS } from './host-status.ts';

const TEST_MS = 180_000;
const DRIVERS = { apt, dnf };
const { readiness } = createOsRegistry();

async function ask<Answer>(
  host: SystemdHost,
  { argv, parse }: HostQuery<Answer>,
  as: readonly string[] = [],
) {
  const [program = '', ...args] = [...as, ...argv];
  const { exitCode, stdout, stderr } = await host.run([program, ...args]);
  return parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) });
}

describeOnSystemdHosts('what is pending', () => {
  describe.each(['apt', 'dnf'] as const)('with %s', kind => {
    const { install, upgrade } = DRIVERS[kind];
    let host: SystemdHost;
    const all = async (commands: readonly Argv[] = []) => {
      for (const argv of commands) await host.must(argv);
    };
    beforeAll(async () => {
      host = await startSystemdHost({ kind });
      (await packageServer()).offer('1.0');
      await all(install(kind === 'dnf' ? ['fedora-release', 'toyd'] : ['toyd']));
    }, FIRST_BUILD_MS);
    afterAll(() => host?.stop());

    test('is nothing, then the upgrade that is staged, then nothing again', {
      timeout: TEST_MS,
    }, async () => {
      const packages = await packageServer();
      await all(upgrade.stage);
      expect(await ask(host, upgrade.hasUpdates)).toBe(false);
      packages.offer('2.0');
      await all(upgrade.stage);
      packages.isBroken = true;
      expect(await ask(host, upgrade.hasUpdates)).toBe(true);
      expect(await host.read('/usr/share/toyd/version')).toBe('1.0\n');
      packages.isBroken = false;
      await all(upgrade.apply);
      expect(await host.read('/usr/share/toyd/version')).toBe('2.0\n');
      await all(upgrade.stage);
      expect(await ask(host, upgrade.hasUpdates)).toBe(false);
    });
  });
});

describeOnSystemdHosts('whether a system is up', () => {
  const AS_CORE = ['runuser', '-u', 'core', '--'];
  // As greenboot has it: a check that the target requires, and somebody who requires the target.
  const CHECK = `[Unit]\nBefore=boot-complete.target\n[Service]\nType=oneshot\nRemainAfterExit=yes
ExecStart=/bin/sh -c 'while [ -e /etc/check-waits ]; do sleep 0.2; done; [ ! -e /etc/check-fails ]'
[Install]\nRequiredBy=boot-complete.target\n`;
  const SUCCESS = `[Unit]\nRequires=boot-complete.target\nAfter=boot-complete.target\n[Service]\nType=oneshot
ExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n`;
  let host: SystemdHost;
  const asked = () => ask(host, readiness, AS_CORE);
  const untilItIs = (detail: string) => until(detail, async () => (await asked())?.detail === detail, 60_000);

  beforeAll(async () => {
    host = await startSystemdHost({
      kind: 'apt',
      users: [{ name: 'core', shell: '/bin/bash', sudo: 'free' }],
    });
  }, FIRST_BUILD_MS);
  afterAll(() => host?.stop());

  test('is told to any user, where nothing asks for boot-complete.target', { timeout: TEST_MS }, async () => {
    await host.state();
    expect(await host.must(['systemctl', 'show', '-p', 'LoadState', 'boot-complete.target'])).toBe(
      'LoadState=loaded\n',
    );
    expect(await asked()).toEqual({ bootId: await host.bootId(), isUp: true, detail: 'the system is up' });
  });

  test('waits for the checks of a boot, and says when one failed', { timeout: TEST_MS }, async () => {
    await host.write('/etc/systemd/system/check.service', CHECK);
    await host.write('/etc/systemd/system/success.service', SUCCESS);
    await host.must(['systemctl', 'enable', 'check.service', 'success.service']);
    await host.write('/etc/check-waits', '');
    await host.reboot();
    await untilItIs('the system is still starting');
    await host.must(['rm', '/etc/check-waits']);
    await untilItIs('the system is up');

    await host.write('/etc/check-fails', '');
    await host.reboot();
    await untilItIs('a boot check failed');
    expect((await asked())?.isUp).toBe(false);
  });

  test('waits for a target that is on its way after the boot', { timeout: TEST_MS }, async () => {
    await host.must(['rm', '/etc/check-fails']);
    await host.reboot();
    await untilItIs('the system is up');
    await host.must(['systemctl', 'stop', 'check.service', 'boot-complete.target']);
    await host.write('/etc/check-waits', '');
    await host.must(['systemctl', 'start', '--no-block', 'boot-complete.target']);
    await untilItIs('the boot checks have not finished yet');
    await host.must(['rm', '/etc/check-waits']);
    await untilItIs('the system is up');
  });
});
