// Deploy operations on whole systems that are booted from an OSTree: real deployments, staged and locked, written on the way down, and
// booted. What asks for them is a double of rpm-ostree or of bootc, over the real ostree.

import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PolicyInput } from '../../src/contract/policy.ts';
import type { HostPhase } from '../../src/domain/vocabulary.ts';
import { describeOnSystemdHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import { COREOS_VERSIONS } from '../harness/hosts/identities.ts';
import { BOOTC_VERSIONS } from '../harness/hosts/ostree-image.ts';
import { startSystemdHost } from '../harness/hosts/start-systemd-host.ts';
import { startUpdateDriver } from '../harness/hosts/start-update-driver.ts';
import type { SystemdHost } from '../harness/hosts/systemd-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { FollowedOperation, phasesOf } from './followed-operation.ts';
import { FIRST_BUILD_MS } from './host-status.ts';

const TEST_MS = 180_000;
const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '3',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const CORE = [{ name: 'core', shell: '/bin/bash', sudo: 'free' }] as const;

interface ImageSystem {
  readonly versions: readonly [string, string, string];
  /** What a version is asked for by. */
  target(version: string): string;
  readonly saidAtStaging: string;
  /** Who has a version already is found out in this phase: a tag may have moved, a version does not. */
  readonly isThereIn: readonly HostPhase[];
}

const SYSTEMS: Readonly<Record<'ostree' | 'bootc', ImageSystem>> = {
  ostree: {
    versions: COREOS_VERSIONS,
    target: version => version,
    saidAtStaging: 'Staging deployment... done',
    isThereIn: ['preflight'],
  },
  bootc: {
    versions: BOOTC_VERSIONS,
    target: version => `registry.test/os:${version}`,
    saidAtStaging: 'Queued for next boot: registry.test/os:',
    isThereIn: ['preflight', 'staging'],
  },
};

const ALL_PHASES = ['preflight', 'staging', 'applying', 'armed', 'rebooting', 'verifying', 'done'];

const versionOf = async (host: SystemdHost) =>
  /^OSTREE_VERSION='(.*)'/m.exec(await host.read('/etc/os-release'))?.[1];

describeOnSystemdHosts('a deploy', () => {
  describe.each(['ostree', 'bootc'] as const)('on hosts with %s', kind => {
    const { versions, target, saidAtStaging, isThereIn } = SYSTEMS[kind];
    const [first, second, third] = versions;
    let service: TestService;
    let one: SystemdHost;
    let other: SystemdHost;

    beforeAll(async () => {
      service = await startTestService('sqlite', SETTINGS);
      one = await startSystemdHost({ kind, users: CORE });
      other = await startSystemdHost({ kind, users: CORE });
      await enrolInCluster(service, [one, other], { remoteUser: 'core' });
    }, FIRST_BUILD_MS);

    afterAll(async () => {
      await service?.stop();
      await Promise.all([one, other].map(host => host?.stop()));
    });

    const deploy = (version: string, policy: Static<typeof PolicyInput> = {}) =>
      FollowedOperation.start(service, {
        kind: 'deploy',
        version: target(version),
        policy: { min_healthy_s: 1, ...policy },
      });

    test('boots a version on each, one after the other', { timeout: TEST_MS }, async () => {
      if (kind === 'ostree') {
        await startUpdateDriver(one);
        const refused = await one.run(['rpm-ostree', 'deploy', `version=${second}`]);
        expect(refused.stderr).toMatch(/^error: Updates and deployments are driven by Zincati/);
      }
      for (const host of [one, other]) expect(await versionOf(host)).toBe(first);
      const operation = await deploy(second);
      expect(await operation.end(TEST_MS)).toBe('finished');
      for (const host of [one, other]) {
        const planned = await operation.host(host);
        expect([phasesOf(planned), planned.problem]).toEqual([ALL_PHASES, '']);
        expect([await versionOf(host), host.power.boots]).toEqual([second, 2]);
        const stage = (await operation.output(host)).find(({ step }) => step === 'stage');
        expect(stage?.output).toContain(saidAtStaging);
      }
    });

    test('leaves hosts alone that are there already', { timeout: TEST_MS }, async () => {
      const operation = await deploy(second);
      expect(await operation.end(TEST_MS)).toBe('finished');
      for (const host of [one, other]) {
        const planned = await operation.host(host);
        expect([phasesOf(planned), planned.wasNoop]).toEqual([[...isThereIn, 'done'], true]);
        expect(host.power.boots).toBe(2);
      }
    });

    test('fails on a host that comes back with the version before, and stops there', {
      timeout: TEST_MS,
    }, async () => {
      // Whichever is prepared first goes first.
      for (const host of [one, other]) host.fallBack();
      const operation = await deploy(third, { max_failures: 1, timeouts: { ready: 10 } });
      const end = await operation.end(TEST_MS);
      const [back, spared] = one.power.boots === 3 ? [one, other] : [other, one];
      expect(end).toBe(`failed (budget_exhausted: waited 10 s for ${back.address})`);
      const planned = await operation.host(back);
      expect([planned.phase, planned.problem]).toEqual([
        'failed',
        `rolled_back: the host booted ${second} instead of ${third}`,
      ]);
      expect([await versionOf(back), back.power.boots]).toEqual([second, 3]);
      expect([await versionOf(spared), spared.power.boots]).toEqual([second, 2]);
    });
  });
});
