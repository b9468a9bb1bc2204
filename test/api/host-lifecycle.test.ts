// Runs the real server with simulated hosts in real time.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { Secret } from '../../src/domain/secret.ts';
import { OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { createFleet } from '../harness/simulated-fleet.ts';
import { describeByStore } from '../harness/stores/stores.ts';

describeByStore(
  kind => `host lifecycle on ${kind}`,
  kind => {
    const fleet = createFleet();
    let service: TestService;
    beforeAll(async () => {
      const settings = { HOSTLER_CHECK_INTERVAL_S: '5' };
      service = await startTestService(kind, settings, { transport: fleet.transport });
      await service.put('/api/v0/containermanager/nodes', { type: 'trivial', options: {} });
      await service.put('/api/v0/cluster/web', { network: 'default', container_manager: 'nodes' });
    });
    afterAll(() => service.stop());

    const enrol = (address: string, fields: object = {}) =>
      service.put(`/api/v0/host/${address}`, { ssh_priv_key: PRIVATE_KEY, ...fields });
    const statusOf = async (address: string) =>
      (await service.get<{ status: string }>(`/api/v0/host/${address}`)).body.status;
    const waitForStatus = (address: string, status: string) => expect.poll(() => statusOf(address)).toBe(status);

    test('bootstraps the host and registers its node', async () => {
      fleet.add('127.7.0.1' as Address, { os: 'fedora', hostname: 'web-1' });
      expect((await enrol('127.7.0.1', { cluster: 'web' })).status).toBe(201);
      await waitForStatus('127.7.0.1', 'active');
      expect((await service.get('/api/v0/host/127.7.0.1')).body).toMatchObject({
        os: 'fedora',
        cpus: 2,
        memory: 4 * 1024 ** 2,
        last_check: expect.stringMatching(/^\d{4}-/),
      });
      expect((await service.get('/api/v0/host/127.7.0.1/status')).body).toMatchObject({
        type: 'trivial',
        host: { status: 'active', hostname: 'web-1' },
        container_manager: { ready: true, schedulable: true },
      });
      expect((await service.get('/api/v0/cluster/web')).body).toMatchObject({
        status: 'ok',
        hosts: { total: 1, available: 1, unavailable: 0 },
      });
    });

    test('a host fails with a reason, and bootstraps after its key is replaced', async () => {
      fleet.add('127.7.0.2' as Address, { os: 'debian', acceptedKeys: [new Secret(OTHER_PRIVATE_KEY)] });
      await enrol('127.7.0.2');
      await waitForStatus('127.7.0.2', 'failed');
      const { body } = await service.get('/api/v0/host/127.7.0.2/status');
      expect(body).toMatchObject({ host: { reason: expect.stringMatching(/^auth_rejected: /) } });
      const replace = (key: string) => service.put('/api/v0/host/127.7.0.2/creds', { ssh_priv_key: key });
      expect(await service.errorCode(replace(PRIVATE_KEY))).toBe('409 credentials_rejected');
      expect(await statusOf('127.7.0.2')).toBe('failed');
      expect((await replace(OTHER_PRIVATE_KEY)).status).toBe(200);
      await waitForStatus('127.7.0.2', 'disassociated');
    });

    test('a host fails after its host key changes, and bootstraps after an administrator accepts the fingerprint', async () => {
      const host = fleet.add('127.7.0.4' as Address, { os: 'ubuntu' });
      await enrol('127.7.0.4');
      await waitForStatus('127.7.0.4', 'disassociated');
      host.addFault({ kind: 'key_changed' });
      await waitForStatus('127.7.0.4', 'failed');
      const fingerprint = hostKeyFingerprint(host.hostKey);
      const { body } = await service.get('/api/v0/host/127.7.0.4/status');
      expect(body).toMatchObject({ host: { pending_host_key: { fingerprint } } });
      expect((await service.put('/api/v0/host/127.7.0.4/accept-key', { fingerprint })).status).toBe(200);
      await waitForStatus('127.7.0.4', 'disassociated');
    });

    test('GET /health-checks reports the state of the health checks', async () => {
      expect((await service.get('/api/v0/health-checks')).body).toMatchObject({
        state: 'ok',
        interval_s: 5,
        lag_s: expect.any(Number),
      });
    });

    test('DELETE removes the host and its node', async () => {
      expect((await service.delete('/api/v0/host/127.7.0.1')).status).toBe(200);
      expect((await service.get('/api/v0/host/127.7.0.1')).status).toBe(404);
      const node = () => service.store.reads.driverMemory.get('container_manager/nodes', '127.7.0.1');
      await expect.poll(node).toBeUndefined();
    });
  },
);
