// Upgrade and restart operations on systemd hosts with real package managers. The test sets the version in
// the repository. systemd performs the reboots, through the reboot guard.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Argv } from '../../src/domain/command.ts';
import { describeOnSystemdHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { INSTALL_BLOCK_FILE } from '../harness/real-hosts/package-repositories.ts';
import { packageServer } from '../harness/real-hosts/package-server.ts';
import { startSystemdHost } from '../harness/real-hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/real-hosts/systemd-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { FollowedOperation, phasesOf } from './followed-operation.ts';

const DEADLINE_MS = 180_000;
const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '3',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const USERS = [{ name: 'core', shell: '/bin/bash', sudo: 'free' }] as const;
const POLICY = { max_unavailable: 3, min_healthy_s: 1 };

const APT_INSTALL: readonly Argv[] = [
  ['apt-get', '-qy', 'update'],
  ['apt-get', '-qy', 'install', 'toyd'],
];

describeOnSystemdHosts('on systemd hosts with packages', () => {
  let service: TestService;
  let debian: SystemdHost;
  let fedora: SystemdHost;
  /** Has a package that counts as a kernel. */
  let withKernel: SystemdHost;
  const all = () => [debian, fedora, withKernel];
  const boots = () => all().map(({ hostProcess }) => hostProcess.boots);
  const versions = () => Promise.all(all().map(host => host.read('/usr/share/toyd/version')));

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    (await packageServer()).setVersion('1.0');
    debian = await startSystemdHost({ kind: 'apt', users: USERS });
    fedora = await startSystemdHost({ kind: 'dnf', users: USERS });
    withKernel = await startSystemdHost({ kind: 'dnf', users: USERS });
    for (const argv of APT_INSTALL) await debian.runChecked(argv);
    await fedora.runChecked(['dnf', '-y', 'install', 'fedora-release', 'toyd']);
    await withKernel.runChecked(['dnf', '-y', 'install', 'fedora-release', 'toyd', 'kernel']);
    // After the reboot, the installed kernel is the running one.
    await withKernel.reboot();
    await enrolInCluster(service.client, all(), { remoteUser: 'core' });
  }, IMAGE_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all(all().map(host => host?.stop()));
  });

  const start = (kind: 'restart' | 'upgrade') => FollowedOperation.start(service, { kind, policy: POLICY });

  test('an upgrade changes nothing on hosts without updates', async () => {
    const before = boots();
    const operation = await start('upgrade');
    expect(await operation.waitForEnd(DEADLINE_MS)).toBe('finished');
    for (const host of all()) {
      const planned = await operation.host(host);
      expect([phasesOf(planned), planned.wasNoop]).toEqual([['preflight', 'staging', 'done'], true]);
    }
    expect([boots(), await versions()]).toEqual([before, ['1.0\n', '1.0\n', '1.0\n']]);
  });

  test('an upgrade installs newer packages, stores output while it runs, and reboots only where required', async () => {
    const [debianBoots, fedoraBoots, kernelBoots] = boots();
    (await packageServer()).setVersion('2.0');
    await debian.write(INSTALL_BLOCK_FILE, '');
    const operation = await start('upgrade');
    // The script of the package waits, so apt-get is still running while its output is stored.
    const applying = await waitUntil(
      'the output of apt-get is stored',
      async () => {
        const applyOutput = (await operation.output(debian)).find(({ step }) => step === 'apply');
        return applyOutput?.output.includes('Setting up toyd (2.0)') && (await operation.host(debian)).phase;
      },
      DEADLINE_MS,
    );
    expect(applying).toBe('applying');
    await debian.runChecked(['rm', INSTALL_BLOCK_FILE]);
    expect(await operation.waitForEnd(DEADLINE_MS)).toBe('finished');

    expect(await versions()).toEqual(['2.0\n', '2.0\n', '2.0\n']);
    // The Debian package requests a reboot by /run/reboot-required, the kernel by needs-restarting. The other
    // host needs none.
    expect(boots()).toEqual([(debianBoots ?? 0) + 1, fedoraBoots, (kernelBoots ?? 0) + 1]);
  });

  test('a restart reboots each host once from a systemd unit', async () => {
    const before = boots();
    for (const host of all()) await host.runChecked(['sh', '-c', 'mkdir -p /var/log/journal && journalctl --flush']);
    const operation = await start('restart');
    expect(await operation.waitForEnd(DEADLINE_MS)).toBe('finished');
    expect(boots()).toEqual(before.map(count => count + 1));
    for (const host of all()) {
      expect(phasesOf(await operation.host(host))).toEqual([
        ...['preflight', 'queued', 'armed', 'rebooting', 'verifying', 'done'],
      ]);
      const unit = `hostler-reboot_${operation.id}_1_*`;
      const log = await host.runChecked(['journalctl', '--no-pager', '-b', '-1', '-u', unit]);
      expect(log).toMatch(/Started hostler-reboot_/);
    }
  });
});
