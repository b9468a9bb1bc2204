// Deploy operations on systemd hosts that boot from OSTree: real deployments that are staged, locked,
// finalized at shutdown and booted. Stand-ins for rpm-ostree and bootc call the real ostree.

import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PolicyInput } from '../../src/contract/policy.ts';
import type { HostPhase } from '../../src/domain/vocabulary.ts';
import { describeOnSystemdHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { COREOS_VERSIONS } from '../harness/real-hosts/light-host-layers.ts';
import { BOOTC_VERSIONS } from '../harness/real-hosts/ostree-image.ts';
import { startSystemdHost } from '../harness/real-hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/real-hosts/systemd-host.ts';
import { startUpdateDriver } from '../harness/real-hosts/systemd-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { FollowedOperation, phasesOf } from './followed-operation.ts';

const DEADLINE_MS = 180_000;
const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '3',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const CORE = [{ name: 'core', shell: '/bin/bash', sudo: 'free' }] as const;

interface ImageSystem {
  readonly versions: readonly [string, string, string];
  /** Deploy target of a version. */
  target(version: string): string;
  readonly stagingOutput: string;
  /**
   * Phases before a host is found to have the version already. A tag can move, so it is resolved in staging;
   * a version cannot.
   */
  readonly noopPhases: readonly HostPhase[];
}

const SYSTEMS: Readonly<Record<'ostree' | 'bootc', ImageSystem>> = {
  ostree: {
    versions: COREOS_VERSIONS,
    target: version => version,
    stagingOutput: 'Staging deployment... done',
    noopPhases: ['preflight'],
  },
  bootc: {
    versions: BOOTC_VERSIONS,
    target: version => `registry.test/os:${version}`,
    stagingOutput: 'Queued for next boot: registry.test/os:',
    noopPhases: ['preflight', 'staging'],
  },
};

const ALL_PHASES = ['preflight', 'staging', 'queued', 'applying', 'armed', 'rebooting', 'verifying', 'done'];

const versionOf = async (host: SystemdHost) => /^OSTREE_VERSION='(.*)'/m.exec(await host.read('/etc/os-release'))?.[1];

describeOnSystemdHosts('a deploy', () => {
  describe.each(['ostree', 'bootc'] as const)('on hosts with %s', kind => {
    const { versions, target, stagingOutput, noopPhases } = SYSTEMS[kind];
    const [first, second, third] = versions;
    let service: TestService;
    let hostA: SystemdHost;
    let hostB: SystemdHost;

    beforeAll(async () => {
      service = await startTestService('sqlite', SETTINGS);
      hostA = await startSystemdHost({ kind, users: CORE });
      hostB = await startSystemdHost({ kind, users: CORE });
      await enrolInCluster(service.client, [hostA, hostB], { remoteUser: 'core' });
    }, IMAGE_BUILD_MS);

    afterAll(async () => {
      await service?.stop();
      await Promise.all([hostA, hostB].map(host => host?.stop()));
    });

    const deploy = (version: string, policy: Static<typeof PolicyInput> = {}) =>
      FollowedOperation.start(service, {
        kind: 'deploy',
        version: target(version),
        policy: { min_healthy_s: 1, ...policy },
      });

    test('boots a version on each host, one after the other', async () => {
      if (kind === 'ostree') {
        await startUpdateDriver(hostA);
        const rejected = await hostA.run(['rpm-ostree', 'deploy', `version=${second}`]);
        expect(rejected.stderr).toMatch(/^error: Updates and deployments are driven by Zincati/);
      }
      for (const host of [hostA, hostB]) expect(await versionOf(host)).toBe(first);
      const operation = await deploy(second);
      expect(await operation.waitForEnd(DEADLINE_MS)).toBe('finished');
      for (const host of [hostA, hostB]) {
        const planned = await operation.host(host);
        expect([phasesOf(planned), planned.problem]).toEqual([ALL_PHASES, '']);
        expect([await versionOf(host), host.hostProcess.boots]).toEqual([second, 2]);
        const stage = (await operation.output(host)).find(({ step }) => step === 'stage');
        expect(stage?.output).toContain(stagingOutput);
      }
    });

    test('changes nothing on hosts that run the version already', async () => {
      const operation = await deploy(second);
      expect(await operation.waitForEnd(DEADLINE_MS)).toBe('finished');
      for (const host of [hostA, hostB]) {
        const planned = await operation.host(host);
        expect([phasesOf(planned), planned.wasNoop]).toEqual([[...noopPhases, 'done'], true]);
        expect(host.hostProcess.boots).toBe(2);
      }
    });

    test('fails on a host that boots the previous version, and stops', async () => {
      // The host that is prepared first starts first.
      for (const host of [hostA, hostB]) host.bootPreviousVersion();
      const operation = await deploy(third, { max_failures: 1, timeouts: { ready: 10 } });
      const end = await operation.waitForEnd(DEADLINE_MS);
      const [rolledBack, untouched] = hostA.hostProcess.boots === 3 ? [hostA, hostB] : [hostB, hostA];
      expect(end).toBe(`failed (budget_exhausted: waited 10 s for ${rolledBack.address})`);
      const planned = await operation.host(rolledBack);
      expect([planned.phase, planned.problem]).toEqual([
        'failed',
        `rolled_back: the host booted ${second} instead of ${third}`,
      ]);
      expect([await versionOf(rolledBack), rolledBack.hostProcess.boots]).toEqual([second, 3]);
      expect([await versionOf(untouched), untouched.hostProcess.boots]).toEqual([second, 2]);
    });
  });
});
