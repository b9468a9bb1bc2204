// Queries of OS drivers before and after an upgrade, against real package managers and systemd.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Argv, HostQuery } from '../../src/domain/command.ts';
import { apt } from '../../src/drivers/os/apt/apt.ts';
import { dnf } from '../../src/drivers/os/dnf/dnf.ts';
import { createOsRegistry } from '../../src/drivers/os/index.ts';
import { describeOnSystemdHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { packageServer } from '../harness/real-hosts/package-server.ts';
import { startSystemdHost } from '../harness/real-hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/real-hosts/systemd-host.ts';
import { waitUntil } from '../harness/wait-until.ts';

const DRIVERS = { apt, dnf };
const { readiness } = createOsRegistry();

async function query<Result>(host: SystemdHost, { argv, parse }: HostQuery<Result>, prefix: readonly string[] = []) {
  const [program = '', ...args] = [...prefix, ...argv];
  const { exitCode, stdout, stderr } = await host.run([program, ...args]);
  return parse({ exitCode, stdout: Buffer.from(stdout), stderr: Buffer.from(stderr) });
}

describeOnSystemdHosts('the update query', () => {
  describe.each(['apt', 'dnf'] as const)('with %s', kind => {
    const { install, upgrade } = DRIVERS[kind];
    let host: SystemdHost;
    const all = async (commands: readonly Argv[] = []) => {
      for (const argv of commands) await host.runChecked(argv);
    };
    beforeAll(async () => {
      host = await startSystemdHost({ kind });
      (await packageServer()).setVersion('1.0');
      await all(install(kind === 'dnf' ? ['fedora-release', 'toyd'] : ['toyd']));
    }, IMAGE_BUILD_MS);
    afterAll(() => host?.stop());

    test('reports the staged upgrade, and no updates before and after it', async () => {
      const packages = await packageServer();
      await all(upgrade.stage);
      expect(await query(host, upgrade.hasUpdates)).toBe(false);
      packages.setVersion('2.0');
      await all(upgrade.stage);
      packages.isBroken = true;
      expect(await query(host, upgrade.hasUpdates)).toBe(true);
      expect(await host.read('/usr/share/toyd/version')).toBe('1.0\n');
      packages.isBroken = false;
      await all(upgrade.apply);
      expect(await host.read('/usr/share/toyd/version')).toBe('2.0\n');
      await all(upgrade.stage);
      expect(await query(host, upgrade.hasUpdates)).toBe(false);
    });
  });
});

describeOnSystemdHosts('the readiness query', () => {
  const AS_CORE = ['runuser', '-u', 'core', '--'];
  // Like greenboot: a check that boot-complete.target requires, and a unit that requires the target.
  const CHECK = `[Unit]\nBefore=boot-complete.target\n[Service]\nType=oneshot\nRemainAfterExit=yes
ExecStart=/bin/sh -c 'while [ -e /etc/check-waits ]; do sleep 0.2; done; [ ! -e /etc/check-fails ]'
[Install]\nRequiredBy=boot-complete.target\n`;
  const SUCCESS = `[Unit]\nRequires=boot-complete.target\nAfter=boot-complete.target\n[Service]\nType=oneshot
ExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n`;
  let host: SystemdHost;
  const queryReadiness = () => query(host, readiness, AS_CORE);
  const untilDetail = (detail: string) =>
    waitUntil(detail, async () => (await queryReadiness())?.detail === detail, 60_000);

  beforeAll(async () => {
    host = await startSystemdHost({
      kind: 'apt',
      users: [{ name: 'core', shell: '/bin/bash', sudo: 'free' }],
    });
  }, IMAGE_BUILD_MS);
  afterAll(() => host?.stop());

  test('needs no root and works when no unit requires boot-complete.target', async () => {
    await host.state();
    expect(await host.runChecked(['systemctl', 'show', '-p', 'LoadState', 'boot-complete.target'])).toBe(
      'LoadState=loaded\n',
    );
    expect(await queryReadiness()).toEqual({
      bootId: await host.bootId(),
      isUp: true,
      detail: 'the system is up',
    });
  });

  test('waits for boot checks and reports a failed one', async () => {
    await host.write('/etc/systemd/system/check.service', CHECK);
    await host.write('/etc/systemd/system/success.service', SUCCESS);
    await host.runChecked(['systemctl', 'enable', 'check.service', 'success.service']);
    await host.write('/etc/check-waits', '');
    await host.reboot();
    await untilDetail('the system is still starting');
    await host.runChecked(['rm', '/etc/check-waits']);
    await untilDetail('the system is up');

    await host.write('/etc/check-fails', '');
    await host.reboot();
    await untilDetail('a boot check failed');
    expect((await queryReadiness())?.isUp).toBe(false);
  });

  test('waits for a target that starts after the boot', async () => {
    await host.runChecked(['rm', '/etc/check-fails']);
    await host.reboot();
    await untilDetail('the system is up');
    await host.runChecked(['systemctl', 'stop', 'check.service', 'boot-complete.target']);
    await host.write('/etc/check-waits', '');
    await host.runChecked(['systemctl', 'start', '--no-block', 'boot-complete.target']);
    await untilDetail('the boot checks have not finished yet');
    await host.runChecked(['rm', '/etc/check-waits']);
    await untilDetail('the system is up');
  });
});
