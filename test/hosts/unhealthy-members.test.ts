// Real hosts that have lost their power before or during a restart: what is promised is measured on the hosts, not in the records.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/hosts/light-host.ts';
import { startLightHosts } from '../harness/hosts/start-light-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { CLUSTER, FollowedOperation } from './followed-operation.ts';
import { FIRST_BUILD_MS, hostStatus } from './host-status.ts';

/** Health checks of their own would find nothing in time. */
const SETTINGS = { HOSTLER_TRANSPORT: 'ssh', HOSTLER_CHECK_INTERVAL_S: '60' };
const TEST_MS = 120_000;

describeOnRealHosts('a restart of six real hosts', () => {
  let service: TestService;
  let hosts: LightHost[] = [];

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    hosts = await startLightHosts(6, { identity: 'debian' });
    await enrolInCluster(service, hosts);
  }, FIRST_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all(hosts.map(host => host.stop()));
  });

  const boots = () => hosts.map(({ power }) => power.boots);
  const isActive = async ({ address }: LightHost) => (await hostStatus(service, address)).status === 'active';
  const restart = (policy = {}) =>
    FollowedOperation.start(service, { kind: 'restart', policy: { min_healthy_s: 1, ...policy } });

  test('reboots no host when two have lost power a second before, and excludes them when it is retried', {
    timeout: TEST_MS,
  }, async () => {
    const [first, second] = hosts as [LightHost, LightHost];
    const before = boots();
    await Promise.all([first, second].map(host => host.powerOff()));
    await new Promise(resolve => setTimeout(resolve, 1000));
    const startedMs = performance.now();
    const operation = await restart();
    const end = await operation.end(30_000);
    expect(end).toMatch(/^failed \(budget_exhausted: .* use all slots \(max_unavailable 1\); /);
    for (const { address } of [first, second]) expect(end).toContain(`${address} (unreachable since `);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
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
    for (const { address } of [first, second])
      expect((await hostStatus(service, address)).status).toBe('unreachable');

    await service.put(`/api/v0/operation/${operation.id}/retry`, {
      exclude: [first.address, second.address],
    });
    expect(await operation.end(60_000)).toBe('finished');
    expect(boots()).toEqual(before.map((count, index) => (index < 2 ? count : count + 1)));
  });

  test('fails a host that keeps rebooting, with the number of boots', { timeout: TEST_MS }, async () => {
    const host = hosts[2] as LightHost;
    const operation = await restart({
      ...{ hosts: [host.address], max_unavailable: 6 },
      min_healthy_s: 12,
      timeouts: { reboot: 30, ready: 30 },
    });
    await operation.untilIn('verifying', 30_000);
    // Each boot is followed by the next one as soon as the server has noticed it.
    for (let boots = 2; (await operation.host(host)).phase === 'verifying'; boots += 1) {
      await host.reboot();
      await until(`boot ${boots} is noticed`, async () => {
        const { phase, problem } = await operation.host(host);
        return phase !== 'verifying' || problem.includes(`booted ${boots} times`);
      });
    }
    expect((await operation.host(host)).problem).toMatch(/^not_stable: the host has booted \d+ times/);
    expect(await operation.end(10_000)).toMatch(/^failed/);
  });

  test('has a host checked at once that failed because it was silent, and again often', {
    timeout: TEST_MS,
  }, async () => {
    const host = hosts[3] as LightHost;
    host.power.staysOffAfterReboot = true;
    const timeouts = { reboot: 3, ready: 3 };
    const operation = await restart({ hosts: [host.address], max_unavailable: 6, timeouts });
    expect(await operation.end(30_000)).toMatch(/^failed/);
    expect((await hostStatus(service, host.address)).status).toBe('unreachable');
    host.power.staysOffAfterReboot = false;
    await host.powerOn();
    const startedMs = performance.now();
    await until(`${host.name} is active again`, () => isActive(host), 20_000);
    expect(performance.now() - startedMs).toBeLessThan(15_000);
  });
});
