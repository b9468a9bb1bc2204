// Restarts of real hosts that must not succeed: one that does not come back, and one that is the server machine itself.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/hosts/light-host.ts';
import { startLightHost } from '../harness/hosts/start-light-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { FollowedOperation, phasesOf } from './followed-operation.ts';
import { FIRST_BUILD_MS, hostStatus } from './host-status.ts';

const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '2',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const TEST_MS = 60_000;

describeOnRealHosts('a restart of real hosts', () => {
  let service: TestService;
  let first: LightHost;
  let second: LightHost;
  let own: LightHost;

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    first = await startLightHost({ identity: 'debian' });
    second = await startLightHost({ identity: 'debian' });
    own = await startLightHost({ identity: 'debian', isOwnMachine: true });
    await enrolInCluster(service, [first, second, own]);
  }, FIRST_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all([first, second, own].map(host => host?.stop()));
  });

  const restart = (hosts: readonly LightHost[], policy = {}) =>
    FollowedOperation.start(service, {
      kind: 'restart',
      policy: { hosts: hosts.map(({ address }) => address), min_healthy_s: 0, ...policy },
    });

  test('is refused where the server itself runs', { timeout: TEST_MS }, async () => {
    const operation = await restart([own]);
    expect(await operation.end(TEST_MS)).toBe('failed (too_many_failures: 1 failed, at most 0 allowed)');
    const { phase, problem } = await operation.host(own);
    expect([phase, problem]).toEqual([
      'failed',
      'runs_hostler_server: a Hostler server runs on this host; rebooting it would stop the server',
    ]);
    expect(own.power.boots).toBe(1);
  });

  test('fails on a host that does not come back, and starts on no other in its place', {
    timeout: TEST_MS,
  }, async () => {
    for (const { power } of [first, second]) power.staysOffAfterReboot = true;
    const operation = await restart([first, second], {
      max_failures: 1,
      timeouts: { reboot: 4, ready: 3 },
    });
    const end = await operation.end(TEST_MS);
    const [lost, spared] = first.power.isOn ? [second, first] : [first, second];
    expect(end).toContain(`failed (budget_exhausted: waited 3 s for ${lost.address} (unreachable since `);
    const planned = await operation.host(lost);
    expect(phasesOf(planned)).toEqual(['preflight', 'staging', 'armed', 'rebooting', 'failed']);
    expect(planned.problem).toMatch(
      /^waiting_for_boot: the host was sent a reboot and does not respond yet: unreachable: connection refused/,
    );
    expect((await hostStatus(service, lost.address)).status).toBe('unreachable');
    expect([lost.power.isOn, spared.power.isOn, spared.power.boots]).toEqual([false, true, 1]);
    expect((await operation.host(spared)).phase).toBe('staging');
  });
});
