import { expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { HOST_KEY, OTHER_HOST_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import { newHostResponse } from '../harness/host-responses.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { runSql } from '../harness/stores/stores.ts';

const FINGERPRINT = hostKeyFingerprint(OTHER_HOST_KEY);

describeServer('PUT /host/{ADDRESS}/accept-key', service => {
  const accept = (address: string, fingerprint: unknown = FINGERPRINT) =>
    service().put<Problem>(`/api/v0/host/${address}/accept-key`, { fingerprint });
  const accessOf = (address: string) => service().store.reads.hostAccess.get(address as Address);
  const tasksOf = (address: string) => service().store.reads.tasks.list(address as Address);
  const eventsOf = async (address: string) =>
    (await service().get<{ type: string }[]>(`/api/v0/audit?subject=${address}`)).body;

  /** Creates the state that a health check stores after the host presented another key. */
  async function makeHostWithPendingKey(address: string) {
    await service().put(`/api/v0/host/${address}`, { ssh_priv_key: PRIVATE_KEY, host_keys: [HOST_KEY] });
    await service().store.transaction(records =>
      records.hosts.setStatus([address as Address], 'failed', 'host_key_changed'),
    );
    await runSql(
      service().database,
      `update host_access set pending_host_key = '${OTHER_HOST_KEY}' where host = '${address}'`,
    );
  }

  test('pins only this key, restarts the bootstrap and records the change', async () => {
    await makeHostWithPendingKey('127.0.1.1');
    const response = await accept('127.0.1.1');
    expect([response.status, response.body]).toEqual([200, newHostResponse('127.0.1.1')]);
    expect(await accessOf('127.0.1.1')).toMatchObject({ hostKeys: [OTHER_HOST_KEY], pendingHostKey: null });
    expect((await tasksOf('127.0.1.1')).map(task => task.kind)).toEqual(['bootstrap']);
    expect((await eventsOf('127.0.1.1')).reverse()).toMatchObject([
      { type: 'host.created' },
      { type: 'host.key_accepted', actor: 'admin', data: { fingerprint: FINGERPRINT } },
      { type: 'host.status', data: { from: 'failed', to: 'investigating' } },
    ]);
    const status = await service().get<{ host: object }>('/api/v0/host/127.0.1.1/status');
    expect(Object.keys(status.body.host)).not.toContain('pending_host_key');
    expect(await service().errorCode(accept('127.0.1.1'))).toBe('409 no_pending_host_key');
  });

  test('rejects another fingerprint with the pending one and changes nothing', async () => {
    await makeHostWithPendingKey('127.0.1.2');
    const { status, body } = await accept('127.0.1.2', hostKeyFingerprint(HOST_KEY));
    expect([status, body.code]).toEqual([409, 'fingerprint_mismatch']);
    expect(body.detail).toContain(FINGERPRINT);
    expect(await accessOf('127.0.1.2')).toMatchObject({
      hostKeys: [HOST_KEY],
      pendingHostKey: OTHER_HOST_KEY,
    });
    expect((await service().store.reads.hosts.get('127.0.1.2' as Address))?.status).toBe('failed');
    expect((await eventsOf('127.0.1.2')).map(({ type }) => type)).toEqual(['request.denied', 'host.created']);
  });

  test('one of many concurrent requests succeeds', async () => {
    await makeHostWithPendingKey('127.0.1.3');
    const responses = await Promise.all(Array.from({ length: 10 }, () => accept('127.0.1.3')));
    expect(responses.map(response => response.status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(await tasksOf('127.0.1.3')).toHaveLength(1);
  });

  test.each([
    undefined,
    '',
    7,
    'SHA256:',
    FINGERPRINT.slice(0, -1),
    `${FINGERPRINT}=`,
    FINGERPRINT.replace('SHA256:', ''),
    'MD5:00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff',
  ])('rejects %j as an invalid fingerprint', async fingerprint => {
    expect(await service().errorCode(service().put('/api/v0/host/127.0.1.2/accept-key', { fingerprint }))).toBe(
      '400 invalid_body',
    );
  });

  test('rejects a host without a pending key and an unknown host', async () => {
    await service().makeHosts('active', undefined, '127.0.1.4');
    expect(await service().errorCode(accept('127.0.1.4'))).toBe('409 no_pending_host_key');
    expect(await service().errorCode(accept('127.0.1.9'))).toBe('404 not_found');
  });
});

describeServer('GET /host/{ADDRESS}/access', service => {
  test('returns user, port and host keys without secrets and comments to a viewer', async () => {
    await service().put('/api/v0/host/127.0.4.1', {
      ssh_priv_key: PRIVATE_KEY,
      ssh_port: 2222,
      remote_user: 'core',
      host_keys: [`${HOST_KEY} root@host`],
    });
    const as = await service().makeAccount('reader', 'viewer');
    expect((await service().get('/api/v0/host/127.0.4.1/access', { as })).body).toEqual({
      remote_user: 'core',
      ssh_port: 2222,
      host_keys: [HOST_KEY],
    });
    expect(await service().errorCode(service().get('/api/v0/host/127.0.4.9/access'))).toBe('404 not_found');
  });

  test('returns no host keys before the first contact', async () => {
    await service().put('/api/v0/host/127.0.4.2', { ssh_priv_key: PRIVATE_KEY });
    expect((await service().get('/api/v0/host/127.0.4.2/access')).body).toEqual({
      remote_user: 'root',
      ssh_port: 22,
      host_keys: [],
    });
  });
});
