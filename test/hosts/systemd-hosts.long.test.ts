import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeOnSystemdHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { loginKey } from '../harness/real-hosts/host-access.ts';
import { startSystemdHost } from '../harness/real-hosts/start-systemd-host.ts';
import type { SystemdHost } from '../harness/real-hosts/systemd-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { hostStatus } from './host-status.ts';

const DEADLINE_MS = 90_000;
const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '3',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const SYSTEMS = { apt: 'debian', dnf: 'fedora', ostree: 'coreos' } as const;
const KINDS = ['apt', 'dnf', 'ostree'] as const;

describeOnSystemdHosts('systemd hosts in a cluster', () => {
  let service: TestService;
  const hosts = new Map<string, SystemdHost>();
  const host = (kind: string): SystemdHost => {
    const found = hosts.get(kind);
    if (!found) throw new Error(`no ${kind} host`);
    return found;
  };
  const statusOf = ({ address }: SystemdHost) => hostStatus(service, address);

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    await service.put('/api/v0/cluster/web', { network: 'default' });
    const { privateKeyBase64 } = await loginKey();
    for (const kind of KINDS) {
      const users = [{ name: 'core', shell: '/bin/bash', sudo: 'free' }] as const;
      const started = await startSystemdHost({ kind, users });
      hosts.set(kind, started);
      const body = { ssh_priv_key: privateKeyBase64, remote_user: 'core', cluster: 'web' };
      expect((await service.put(`/api/v0/host/${started.address}`, body)).status).toBe(201);
    }
  }, IMAGE_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all([...hosts.values()].map(systemdHost => systemdHost.stop()));
  });

  const isActiveWith = (target: SystemdHost, bootId: string) =>
    waitUntil(
      `${target.name} is active with the boot id ${bootId}`,
      async () => {
        const { status, boot_id } = await statusOf(target);
        return status === 'active' && boot_id === bootId;
      },
      DEADLINE_MS,
    );

  test.each(KINDS)('a host with %s becomes active with the correct operating system', async kind => {
    await isActiveWith(host(kind), await host(kind).bootId());
    const { body } = await service.get(`/api/v0/host/${host(kind).address}`);
    expect(body).toMatchObject({ os: SYSTEMS[kind], status: 'active' });
    expect((await statusOf(host(kind))).hostname).toBe(host(kind).name);
  });

  test('a rebooted host is reported with its new boot ID', async () => {
    for (const kind of KINDS) await host(kind).reboot();
    for (const kind of KINDS) await isActiveWith(host(kind), await host(kind).bootId());
  });
});
