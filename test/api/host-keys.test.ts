import { expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { hostKeyFingerprint } from '../../src/domain/hosts/host-key.ts';
import { freshHost } from '../harness/fresh-host.ts';
import { HOST_KEY, OTHER_HOST_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';
import { runSql } from '../harness/stores/stores.ts';

const FINGERPRINT = hostKeyFingerprint(OTHER_HOST_KEY);

onEachStore('accepting the key of a host', service => {
  const accept = (address: string, fingerprint: unknown = FINGERPRINT) =>
    service().put<Problem>(`/api/v0/host/${address}/accept-key`, { fingerprint });
  const accessOf = (address: string) => service().store.reads.hostAccess.get(address as Address);
  const workOn = (address: string) => service().store.reads.tasks.list(address as Address);
  const told = async (address: string) =>
    (await service().get<{ type: string }[]>(`/api/v0/audit?subject=${address}`)).body;

  /** A host that shows another key than it did, as a check would find it. */
  async function makeDistrusted(address: string) {
    await service().put(`/api/v0/host/${address}`, { ssh_priv_key: PRIVATE_KEY, host_keys: [HOST_KEY] });
    await service().store.transaction(records =>
      records.hosts.setStatus([address as Address], 'failed', 'host_key_changed'),
    );
    await runSql(
      service().place,
      `update host_access set pending_host_key = '${OTHER_HOST_KEY}' where host = '${address}'`,
    );
  }

  test('pins that key alone, lets the host begin anew, and is told', async () => {
    await makeDistrusted('127.0.1.1');
    const answer = await accept('127.0.1.1');
    expect([answer.status, answer.body]).toEqual([200, freshHost('127.0.1.1')]);
    expect(await accessOf('127.0.1.1')).toMatchObject({ hostKeys: [OTHER_HOST_KEY], pendingHostKey: null });
    expect((await workOn('127.0.1.1')).map(work => work.kind)).toEqual(['bootstrap']);
    expect((await told('127.0.1.1')).reverse()).toMatchObject([
      { type: 'host.created' },
      { type: 'host.key_accepted', actor: 'admin', data: { fingerprint: FINGERPRINT } },
      { type: 'host.status', data: { from: 'failed', to: 'investigating' } },
    ]);
    const status = await service().get<{ host: object }>('/api/v0/host/127.0.1.1/status');
    expect(Object.keys(status.body.host)).not.toContain('pending_host_key');
    expect(await service().refusal(accept('127.0.1.1'))).toBe('409 no_pending_host_key');
  });

  test('with another fingerprint is refused by the one that is offered, and changes nothing', async () => {
    await makeDistrusted('127.0.1.2');
    const { status, body } = await accept('127.0.1.2', hostKeyFingerprint(HOST_KEY));
    expect([status, body.code]).toEqual([409, 'fingerprint_mismatch']);
    expect(body.detail).toContain(FINGERPRINT);
    expect(await accessOf('127.0.1.2')).toMatchObject({
      hostKeys: [HOST_KEY],
      pendingHostKey: OTHER_HOST_KEY,
    });
    expect((await service().store.reads.hosts.get('127.0.1.2' as Address))?.status).toBe('failed');
    expect((await told('127.0.1.2')).map(({ type }) => type)).toEqual(['request.denied', 'host.created']);
  });

  test('by many at once is done once', async () => {
    await makeDistrusted('127.0.1.3');
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept('127.0.1.3')));
    expect(answers.map(answer => answer.status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(await workOn('127.0.1.3')).toHaveLength(1);
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
  ])('%j is no fingerprint', async fingerprint => {
    expect(await service().refusal(service().put('/api/v0/host/127.0.1.2/accept-key', { fingerprint }))).toBe(
      '400 invalid_body',
    );
  });

  test('is refused for a host that shows the key it is known by, and for one that is not known', async () => {
    await service().makeHosts('active', undefined, '127.0.1.4');
    expect(await service().refusal(accept('127.0.1.4'))).toBe('409 no_pending_host_key');
    expect(await service().refusal(accept('127.0.1.9'))).toBe('404 not_found');
  });
});

onEachStore('the access of a host', service => {
  test('is told without a secret and without comments, to all who may read', async () => {
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
    expect(await service().refusal(service().get('/api/v0/host/127.0.4.9/access'))).toBe('404 not_found');
  });

  test('has no key as long as none is known', async () => {
    await service().put('/api/v0/host/127.0.4.2', { ssh_priv_key: PRIVATE_KEY });
    expect((await service().get('/api/v0/host/127.0.4.2/access')).body).toEqual({
      remote_user: 'root',
      ssh_port: 22,
      host_keys: [],
    });
  });
});
