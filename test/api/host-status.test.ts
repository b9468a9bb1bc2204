import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { cordonOwner } from '../../src/domain/rollout/operation-host.ts';
import { trivial } from '../../src/drivers/container-manager/trivial/trivial.ts';
import { createDriverMemory } from '../../src/store/store.ts';
import { OTHER_HOST_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import { managerContext } from '../harness/driver-contexts.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { runSql } from '../harness/stores/stores.ts';

const defaults = {
  boots: 0,
  tasks: [{ kind: 'bootstrap', attempts: 0 }],
  labels: {},
  maintenance: { on: false, reason: '' },
};

describeServer('GET /host/{ADDRESS}/status', service => {
  const host = (address: string) => `/api/v0/host/${address}`;
  const enrol = (address: string, fields: object = {}) =>
    service().put(host(address), { ssh_priv_key: PRIVATE_KEY, ...fields });

  test('returns the type host_only without a cluster, and the reason after a failure', async () => {
    await enrol('127.0.1.20');
    const status = async () => (await service().get(`${host('127.0.1.20')}/status`)).body;
    const container_manager = {};
    expect(await status()).toEqual({
      type: 'host_only',
      host: { last_check: '', status: 'investigating', ...defaults },
      container_manager,
    });
    const address = '127.0.1.20' as Address;
    await service().store.transaction(records => records.hosts.setStatus([address], 'failed', 'auth_rejected'));
    expect(await status()).toEqual({
      type: 'host_only',
      host: { last_check: '', status: 'failed', reason: 'auth_rejected', ...defaults },
      container_manager,
    });
  });

  test('includes the node status of the container manager', async () => {
    await service().put('/api/v0/containermanager/small', { type: 'trivial', options: {} });
    await service().put('/api/v0/cluster/managed', { network: 'default', container_manager: 'small' });
    await enrol('127.0.2.1', { cluster: 'managed' });
    const status = async () => (await service().get(`${host('127.0.2.1')}/status`)).body;
    expect(await status()).toMatchObject({
      type: 'trivial',
      host: { cluster: 'managed' },
      container_manager: { reason: expect.stringContaining('not registered') },
    });
    const memory = createDriverMemory(service().store, 'container_manager/small');
    const manager = trivial.open(managerContext({}, { memory }));
    await manager.register({ address: '127.0.2.1' as Address, hostname: '' });
    expect(await status()).toMatchObject({
      container_manager: {
        ready: true,
        schedulable: true,
        name: '127.0.2.1',
        reported_at: expect.stringMatching(/^\d{4}-.*\.\d{6}$/),
      },
    });
    await manager?.cordon('127.0.2.1' as Address, cordonOwner('one', 1));
    expect(await status()).toMatchObject({ container_manager: { ready: true, schedulable: false } });
  });

  test('includes the connection error of the container manager', async () => {
    const options = { server_url: 'https://127.0.0.1:1' };
    await service().put('/api/v0/containermanager/big', { type: 'kubernetes', options });
    await service().put('/api/v0/cluster/kube', { network: 'default', container_manager: 'big' });
    await enrol('127.0.2.2', { cluster: 'kube' });
    const { body } = await service().get<{ type: string; container_manager: object }>(`${host('127.0.2.2')}/status`);
    expect([body.type, body.container_manager]).toEqual([
      'kubernetes',
      { reason: 'https://127.0.0.1:1 does not respond: connection refused' },
    ]);
  });

  test('includes facts, labels, maintenance and the pending host key', async () => {
    const address = '127.0.3.1' as Address;
    await enrol(address);
    await service().put(`${host(address)}/labels`, { zone: 'a1' });
    await service().put(`${host(address)}/maintenance`, { on: true, reason: 'new disk' });
    await service().store.transaction(async records => {
      const record = await records.hosts.lock(address);
      if (record) await records.hosts.update({ ...record, hostname: 'node-1', bootId: 'boot-1' });
    });
    await runSql(
      service().database,
      `update host_access set pending_host_key = '${OTHER_HOST_KEY}' where host = '${address}'`,
    );
    expect((await service().get(`${host(address)}/status`)).body).toMatchObject({
      host: {
        hostname: 'node-1',
        boot_id: 'boot-1',
        labels: { zone: 'a1' },
        maintenance: { on: true, reason: 'new disk' },
        pending_host_key: { type: 'ssh-ed25519', fingerprint: hostKeyFingerprint(OTHER_HOST_KEY) },
      },
    });
  });
});
