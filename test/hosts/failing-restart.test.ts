// Restarts that must fail: a host that does not come back, and the host that runs the server.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnRealHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHost } from '../harness/real-hosts/light-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { FollowedOperation, phasesOf } from './followed-operation.ts';
import { hostStatus } from './host-status.ts';

const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '2',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const DEADLINE_MS = 60_000;

describeOnRealHosts('a restart of real hosts', () => {
  let service: TestService;
  let first: LightHost;
  let second: LightHost;
  let serverHost: LightHost;

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    first = await startLightHost({ identity: 'debian' });
    second = await startLightHost({ identity: 'debian' });
    serverHost = await startLightHost({ identity: 'debian', hasMachineBootId: true });
    await enrolInCluster(service.client, [first, second, serverHost]);
  }, IMAGE_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all([first, second, serverHost].map(host => host?.stop()));
  });

  const restart = (hosts: readonly LightHost[], policy = {}) =>
    FollowedOperation.start(service, {
      kind: 'restart',
      policy: { hosts: hosts.map(({ address }) => address), min_healthy_s: 0, ...policy },
    });

  test('is rejected on the host that runs the server', async () => {
    const operation = await restart([serverHost]);
    expect(await operation.waitForEnd(DEADLINE_MS)).toBe('failed (too_many_failures: 1 failed, at most 0 allowed)');
    const { phase, problem } = await operation.host(serverHost);
    expect([phase, problem]).toEqual([
      'failed',
      'runs_hostler_server: a Hostler server runs on this host; rebooting it would stop the server',
    ]);
    expect(serverHost.hostProcess.boots).toBe(1);
  });

  test('fails when a host does not come back, and starts no other host', async () => {
    for (const { hostProcess } of [first, second]) hostProcess.staysOffAfterReboot = true;
    const operation = await restart([first, second], {
      max_failures: 1,
      timeouts: { reboot: 4, ready: 3 },
    });
    const end = await operation.waitForEnd(DEADLINE_MS);
    const [lost, untouched] = first.hostProcess.isRunning ? [second, first] : [first, second];
    expect(end).toContain(`failed (budget_exhausted: waited 3 s for ${lost.address} (unreachable since `);
    const planned = await operation.host(lost);
    expect(phasesOf(planned)).toEqual(['preflight', 'queued', 'armed', 'rebooting', 'failed']);
    expect(planned.problem).toMatch(
      /^waiting_for_boot: the host was sent a reboot and does not respond yet: unreachable: connection refused/,
    );
    expect((await hostStatus(service, lost.address)).status).toBe('unreachable');
    expect([lost.hostProcess.isRunning, untouched.hostProcess.isRunning, untouched.hostProcess.boots]).toEqual([
      false,
      true,
      1,
    ]);
    expect((await operation.host(untouched)).phase).toBe('staging');
  });
});
