// Upgrade and restart operations on whole systems with real package managers, from a repository whose version the test decides. The
// reboots are those of systemd, through the guard.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Argv } from '../../src/domain/command.ts';
import { describeOnSystemdHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { TOY_HOLD } from '../harness/hosts/package-repositories.ts';
import { packageServer } from '../harness/hosts/package-server.ts';
import { startSystemdHost } from '../harness/hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/hosts/systemd-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { FollowedOperation, phasesOf } from './followed-operation.ts';
import { FIRST_BUILD_MS } from './host-status.ts';

const TEST_MS = 180_000;
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

describeOnSystemdHosts('on whole systems with packages,', () => {
  let service: TestService;
  let debian: SystemdHost;
  let fedora: SystemdHost;
  /** It has a package that counts as a kernel. */
  let withKernel: SystemdHost;
  const all = () => [debian, fedora, withKernel];
  const boots = () => all().map(({ power }) => power.boots);
  const versions = () => Promise.all(all().map(host => host.read('/usr/share/toyd/version')));

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    (await packageServer()).offer('1.0');
    debian = await startSystemdHost({ kind: 'apt', users: USERS });
    fedora = await startSystemdHost({ kind: 'dnf', users: USERS });
    withKernel = await startSystemdHost({ kind: 'dnf', users: USERS });
    for (const argv of APT_INSTALL) await debian.must(argv);
    await fedora.must(['dnf', '-y', 'install', 'fedora-release', 'toyd']);
    await withKernel.must(['dnf', '-y', 'install', 'fedora-release', 'toyd', 'kernel']);
    // The kernel that was installed now is the one that runs from here on.
    await withKernel.reboot();
    await enrolInCluster(service, all(), { remoteUser: 'core' });
  }, FIRST_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all(all().map(host => host?.stop()));
  });

  const start = (kind: 'restart' | 'upgrade') => FollowedOperation.start(service, { kind, policy: POLICY });

  test('an upgrade leaves hosts alone that have nothing to upgrade', { timeout: TEST_MS }, async () => {
    const before = boots();
    const operation = await start('upgrade');
    expect(await operation.end(TEST_MS)).toBe('finished');
    for (const host of all()) {
      const planned = await operation.host(host);
      expect([phasesOf(planned), planned.wasNoop]).toEqual([['preflight', 'staging', 'done'], true]);
    }
    expect([boots(), await versions()]).toEqual([before, ['1.0\n', '1.0\n', '1.0\n']]);
  });

  test('an upgrade brings the newer packages, tells of it meanwhile, and reboots whom it has to', {
    timeout: TEST_MS,
  }, async () => {
    const [ofDebian, ofFedora, ofKernel] = boots();
    (await packageServer()).offer('2.0');
    await debian.write(TOY_HOLD, '');
    const operation = await start('upgrade');
    // The script of the package waits, so apt-get has not ended; what it has said so far can be read.
    const applying = await until(
      'what apt-get says is stored',
      async () => {
        const said = (await operation.output(debian)).find(({ step }) => step === 'apply');
        return said?.output.includes('Setting up toyd (2.0)') && (await operation.host(debian)).phase;
      },
      TEST_MS,
    );
    expect(applying).toBe('applying');
    await debian.must(['rm', TOY_HOLD]);
    expect(await operation.end(TEST_MS)).toBe('finished');

    expect(await versions()).toEqual(['2.0\n', '2.0\n', '2.0\n']);
    // Its package asks for a reboot by /run/reboot-required, the kernel by needs-restarting; the other host needs none.
    expect(boots()).toEqual([(ofDebian ?? 0) + 1, ofFedora, (ofKernel ?? 0) + 1]);
  });

  test('a restart has systemd reboot each host once, from a unit of its own', {
    timeout: TEST_MS,
  }, async () => {
    const before = boots();
    for (const host of all())
      await host.must(['sh', '-c', 'mkdir -p /var/log/journal && journalctl --flush']);
    const operation = await start('restart');
    expect(await operation.end(TEST_MS)).toBe('finished');
    expect(boots()).toEqual(before.map(count => count + 1));
    for (const host of all()) {
      expect(phasesOf(await operation.host(host))).toEqual([
        ...['preflight', 'staging', 'armed', 'rebooting', 'verifying', 'done'],
      ]);
      const unit = `hostler-reboot_${operation.id}_1_*`;
      const log = await host.must(['journalctl', '--no-pager', '-b', '-1', '-u', unit]);
      expect(log).toMatch(/Started hostler-reboot_/);
    }
  });
});
