// Real hosts that lose power before or during a restart. The results are measured on the hosts, not in the
// records.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnRealHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHosts } from '../harness/real-hosts/light-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { CLUSTER, FollowedOperation } from './followed-operation.ts';
import { hostStatus } from './host-status.ts';

/** Too long for periodic health checks to detect the outages in time. */
const SETTINGS = { HOSTLER_TRANSPORT: 'ssh', HOSTLER_CHECK_INTERVAL_S: '60' };

describeOnRealHosts('a restart of six real hosts', () => {
  let service: TestService;
  let hosts: LightHost[] = [];

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    hosts = await startLightHosts(6, { identity: 'debian' });
    await enrolInCluster(service.client, hosts);
  }, IMAGE_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all(hosts.map(host => host.stop()));
  });

  const boots = () => hosts.map(({ hostProcess }) => hostProcess.boots);
  const isActive = async ({ address }: LightHost) => (await hostStatus(service, address)).status === 'active';
  const restart = (policy = {}) =>
    FollowedOperation.start(service, { kind: 'restart', policy: { min_healthy_s: 1, ...policy } });

  test('reboots no host when two lost power just before, and excludes them when it is retried', async () => {
    const [first, second] = hosts as [LightHost, LightHost];
    const before = boots();
    await Promise.all([first, second].map(host => host.powerOff()));
    const operation = await restart();
    const end = await operation.waitForEnd(30_000);
    expect(end).toMatch(/^failed \(budget_exhausted: .* use all slots \(max_unavailable 1\); /);
    for (const { address } of [first, second]) expect(end).toContain(`${address} (unreachable since `);
    expect(boots()).toEqual(before);
    const record = (
      await service.get<{ status: string; in_process: { address: string; state: string; error: string }[] }>(
        `/api/v0/cluster/${CLUSTER}/restart`,
      )
    ).body;
    expect(record.status).toBe('failed');
    expect(record.in_process.map(({ address, state }) => [address, state])).toEqual(
      [first, second].map(({ address }) => [address, 'unreachable']),
    );
    for (const { error } of record.in_process) expect(error).toMatch(/^unreachable: /);
    for (const { address } of [first, second]) expect((await hostStatus(service, address)).status).toBe('unreachable');

    await service.put(`/api/v0/operation/${operation.id}/retry`, {
      exclude: [first.address, second.address],
    });
    expect(await operation.waitForEnd(60_000)).toBe('finished');
    expect(boots()).toEqual(before.map((count, index) => (index < 2 ? count : count + 1)));
  });

  test('fails a host that keeps rebooting, with the number of boots', async () => {
    const host = hosts[2] as LightHost;
    const operation = await restart({
      ...{ hosts: [host.address], max_unavailable: 6 },
      min_healthy_s: 12,
      timeouts: { reboot: 30, ready: 30 },
    });
    await operation.untilPhase('verifying', 30_000);
    // The host reboots again as soon as the server has detected the previous boot.
    for (let boots = 2; (await operation.host(host)).phase === 'verifying'; boots += 1) {
      await host.reboot();
      await waitUntil(`boot ${boots} is detected`, async () => {
        const { phase, problem } = await operation.host(host);
        return phase !== 'verifying' || problem.includes(`booted ${boots} times`);
      });
    }
    expect((await operation.host(host)).problem).toMatch(/^not_stable: the host has booted \d+ times/);
    expect(await operation.waitForEnd(10_000)).toMatch(/^failed/);
  });

  test('checks a host at once and often after it failed because it was unresponsive', async () => {
    const host = hosts[3] as LightHost;
    host.hostProcess.staysOffAfterReboot = true;
    const timeouts = { reboot: 3, ready: 3 };
    const operation = await restart({ hosts: [host.address], max_unavailable: 6, timeouts });
    expect(await operation.waitForEnd(30_000)).toMatch(/^failed/);
    expect((await hostStatus(service, host.address)).status).toBe('unreachable');
    host.hostProcess.staysOffAfterReboot = false;
    await host.powerOn();
    // Half of the check interval.
    await waitUntil(`${host.name} is active again`, () => isActive(host), 30_000);
  });
});
