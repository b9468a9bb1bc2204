import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { OTHER_PRIVATE_KEY } from '../harness/credentials.ts';
import { describeOnRealHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import { createKey, loginKey } from '../harness/real-hosts/host-access.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHosts } from '../harness/real-hosts/light-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { enrolInCluster } from './enrol-in-cluster.ts';
import { hostStatus } from './host-status.ts';

const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_SSH_CONNECT_TIMEOUT_S: '2',
  HOSTLER_CHECK_INTERVAL_S: '5',
};
const DEADLINE_MS = 60_000;

describeOnRealHosts('a cluster of real hosts', () => {
  let service: TestService;
  let hosts: LightHost[] = [];
  const host = (index: number): LightHost => {
    const found = hosts[index];
    if (!found) throw new Error('too few hosts');
    return found;
  };
  const path = ({ address }: LightHost) => `/api/v0/host/${address}`;
  const statusOf = ({ address }: LightHost) => hostStatus(service, address);
  const untilStatus = (target: LightHost, status: string) =>
    waitUntil(
      `${target.name} is ${status}`,
      async () => {
        const now = await statusOf(target);
        return now.status === status && now;
      },
      DEADLINE_MS,
    );

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    hosts = await startLightHosts(5, { identity: 'debian' });
    await enrolInCluster(service.client, hosts);
  }, IMAGE_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all(hosts.map(target => target.stop()));
  });

  test('reports the boot ID of a host, and the new one after a reboot', async () => {
    const before = await host(0).bootId();
    expect((await statusOf(host(0))).boot_id).toBe(before);
    await host(0).reboot();
    const after = await host(0).bootId();
    expect(after).not.toBe(before);
    await waitUntil('the new boot id', async () => (await statusOf(host(0))).boot_id === after, DEADLINE_MS);
    expect((await statusOf(host(0))).status).toBe('active');
  });

  test('marks a host without power and a frozen host as unreachable, and both as active when they return', async () => {
    await host(1).powerOff();
    await host(2).freeze();
    expect((await untilStatus(host(1), 'unreachable')).reason).toMatch(/^unreachable: connection refused/);
    expect((await untilStatus(host(2), 'unreachable')).reason).toBe('timed_out: no response within 2 s');
    await host(1).powerOn();
    await host(2).thaw();
    await untilStatus(host(1), 'active');
    await untilStatus(host(2), 'active');
  });

  test('runs no command on a host that presents another key until an administrator accepts it', async () => {
    const newHostKey = await host(3).replaceHostKey();
    const { reason, pending_host_key } = await untilStatus(host(3), 'failed');
    expect(reason).toMatch(/^host_key_changed: /);
    expect(pending_host_key?.fingerprint).toBe(hostKeyFingerprint(newHostKey));
    const logins = host(3).logins();
    expect((await service.put(`${path(host(3))}/bootstrap`, {})).status).toBe(200);
    await untilStatus(host(3), 'failed');
    expect(host(3).logins()).toBe(logins);
    const accepted = await service.put(`${path(host(3))}/accept-key`, {
      fingerprint: hostKeyFingerprint(newHostKey),
    });
    expect(accepted.status).toBe(200);
    await untilStatus(host(3), 'active');
  });

  test('accepts new credentials only if they work', async () => {
    const creds = `${path(host(4))}/creds`;
    const rejected = await service.put(creds, { ssh_priv_key: OTHER_PRIVATE_KEY });
    expect(rejected).toMatchObject({ status: 409, body: { code: 'credentials_rejected' } });
    const { publicKey, file } = await loginKey();
    const otherFile = `${file}-other`;
    const otherPublic = await createKey(otherFile, 'ecdsa');
    await host(4).setAuthorizedKeys([publicKey, otherPublic]);
    const otherKey = readFileSync(otherFile).toString('base64');
    expect((await service.put(creds, { ssh_priv_key: otherKey })).status).toBe(200);
    await host(4).setAuthorizedKeys([otherPublic]);
    const before = host(4).logins();
    await waitUntil('a login with the new key', () => host(4).logins() > before, DEADLINE_MS);
    expect((await statusOf(host(4))).status).toBe('active');
  });
});
