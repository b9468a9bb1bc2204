import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { describeOnRealHosts } from '../harness/hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/hosts/light-host.ts';
import { loginKey, makeKey } from '../harness/hosts/login-key.ts';
import { startLightHosts } from '../harness/hosts/start-light-host.ts';
import { OTHER_PRIVATE_KEY } from '../harness/keys.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';
import { FIRST_BUILD_MS, hostStatus } from './host-status.ts';

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
    if (!found) throw new Error('there are not so many hosts');
    return found;
  };
  const path = ({ address }: LightHost) => `/api/v0/host/${address}`;
  const statusOf = ({ address }: LightHost) => hostStatus(service, address);
  const becomes = (of: LightHost, status: string) =>
    until(
      `${of.name} is ${status}`,
      async () => {
        const now = await statusOf(of);
        return now.status === status && now;
      },
      DEADLINE_MS,
    );

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    hosts = await startLightHosts(5, { identity: 'debian' });
    await service.put('/api/v0/cluster/web', { network: 'default' });
    const { privateKeyBase64 } = await loginKey();
    for (const each of hosts) {
      const body = { ssh_priv_key: privateKeyBase64, ssh_port: each.port, cluster: 'web' };
      expect((await service.put(path(each), body)).status).toBe(201);
    }
    for (const each of hosts) await becomes(each, 'active');
  }, FIRST_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all(hosts.map(each => each.stop()));
  });

  test('tells the boot id that a host really has, and the new one after a real reboot', async () => {
    const before = await host(0).bootId();
    expect((await statusOf(host(0))).boot_id).toBe(before);
    await host(0).reboot();
    const after = await host(0).bootId();
    expect(after).not.toBe(before);
    await until('the new boot id', async () => (await statusOf(host(0))).boot_id === after, DEADLINE_MS);
    expect((await statusOf(host(0))).status).toBe('active');
  });

  test('sees that one lost its power and another hangs, and sees both come back', {
    timeout: 2 * DEADLINE_MS,
  }, async () => {
    await host(1).powerOff();
    await host(2).freeze();
    expect((await becomes(host(1), 'unreachable')).reason).toMatch(/^unreachable: connection refused/);
    expect((await becomes(host(2), 'unreachable')).reason).toBe('timed_out: no response within 2 s');
    await host(1).powerOn();
    await host(2).thaw();
    await becomes(host(1), 'active');
    await becomes(host(2), 'active');
  });

  test('runs nothing on a host that shows another key, until a person accepts it', {
    timeout: 2 * DEADLINE_MS,
  }, async () => {
    const shown = await host(3).replaceHostKey();
    const { reason, pending_host_key } = await becomes(host(3), 'failed');
    expect(reason).toMatch(/^host_key_changed: /);
    expect(pending_host_key?.fingerprint).toBe(hostKeyFingerprint(shown));
    const logins = host(3).logins();
    expect((await service.put(`${path(host(3))}/bootstrap`, {})).status).toBe(200);
    await becomes(host(3), 'failed');
    expect(host(3).logins()).toBe(logins);
    const accepted = await service.put(`${path(host(3))}/accept-key`, {
      fingerprint: hostKeyFingerprint(shown),
    });
    expect(accepted.status).toBe(200);
    await becomes(host(3), 'active');
  });

  test('takes new credentials that work, and none that do not', async () => {
    const creds = `${path(host(4))}/creds`;
    const refused = await service.put(creds, { ssh_priv_key: OTHER_PRIVATE_KEY });
    expect(refused).toMatchObject({ status: 409, body: { code: 'credentials_rejected' } });
    const { publicKey, file } = await loginKey();
    const other = `${file}-other`;
    const otherPublic = await makeKey(other, 'ecdsa');
    await host(4).setAuthorizedKeys([publicKey, otherPublic]);
    const otherKey = readFileSync(other).toString('base64');
    expect((await service.put(creds, { ssh_priv_key: otherKey })).status).toBe(200);
    await host(4).setAuthorizedKeys([otherPublic]);
    const before = host(4).logins();
    await until('a login with the new key', () => host(4).logins() > before, DEADLINE_MS);
    expect((await statusOf(host(4))).status).toBe('active');
  });
});
