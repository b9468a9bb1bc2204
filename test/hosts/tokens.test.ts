import { afterAll, beforeAll, expect, test } from 'vitest';
import { OTHER_HOST_KEY } from '../harness/credentials.ts';
import { describeOnRealHosts, IMAGE_BUILD_MS } from '../harness/real-hosts/describe-on-real-hosts.ts';
import type { LightHost } from '../harness/real-hosts/light-host.ts';
import { startLightHosts } from '../harness/real-hosts/light-host.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { hostStatus } from './host-status.ts';

const SETTINGS = {
  HOSTLER_TRANSPORT: 'ssh',
  HOSTLER_CHECK_INTERVAL_S: '86400',
  HOSTLER_TRUST_PROXY: '127.0.0.1',
};
const DEADLINE_MS = 60_000;

describeOnRealHosts('a real host that enrols with a token and trusts the key of the service', () => {
  let service: TestService;
  let hosts: LightHost[] = [];
  let credentials: string;

  beforeAll(async () => {
    service = await startTestService('sqlite', SETTINGS);
    hosts = await startLightHosts(3, { identity: 'debian' });
    const { body } = await service.get<{ public_key: string }>('/api/v0/identity');
    await Promise.all(hosts.map(host => host.setAuthorizedKeys([body.public_key])));
    await service.put('/api/v0/cluster/web', { network: 'default' });
    const made = await service.put<{ secret: string }>('/api/v0/token/web', { cluster: 'web', uses: 3 });
    credentials = `token:${made.body.secret}`;
  }, IMAGE_BUILD_MS);

  afterAll(async () => {
    await service?.stop();
    await Promise.all(hosts.map(host => host.stop()));
  });

  test.each([
    ['over ssh', 0, { transport: 'ssh' }, 'active'],
    ['over openssh', 1, { transport: 'openssh' }, 'active'],
    ['unless it presents another host key than it sent', 2, { host_keys: [OTHER_HOST_KEY] }, 'failed'],
  ])('becomes active %s', async (_how, index, overrides, status) => {
    const host = hosts[index];
    if (host === undefined) throw new Error('too few hosts');
    const { address, port, hostKey } = host;
    const body = { ssh_port: port, host_keys: [hostKey], ...overrides };
    const options = { as: credentials, headers: { 'x-forwarded-for': address } };
    expect((await service.put('/api/v0/host', body, options)).status).toBe(201);
    const endedStatus = async () => {
      const now = await hostStatus(service, address);
      return ['active', 'disassociated', 'failed'].includes(now.status) && now;
    };
    const { status: finalStatus, reason = '' } = await waitUntil(`${host.name} is ${status}`, endedStatus, DEADLINE_MS);
    expect([finalStatus, reason.split(':')[0]]).toEqual([status, status === 'failed' ? 'host_key_changed' : '']);
    expect(host.logins() > 0).toBe(status === 'active');
  });
});
