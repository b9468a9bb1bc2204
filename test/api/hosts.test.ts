import { beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { freshHost } from '../harness/fresh-host.ts';
import { HOST_KEY, OTHER_HOST_KEY, OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/keys.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

onEachStore('hosts', service => {
  const host = (address: string) => `/api/v0/host/${address}`;
  const enrol = (address: string, more: object = {}) =>
    service().put(host(address), { ssh_priv_key: PRIVATE_KEY, ...more });
  const workOn = (address: string) => service().store.reads.tasks.list(address as Address);

  beforeAll(async () => {
    await service().put('/api/v0/cluster/home', { network: 'default' });
  });

  test('enrolling answers 201 and the host with exactly its fields, investigating', async () => {
    const { status, body, headers } = await enrol('127.0.1.1');
    expect([status, body]).toEqual([201, freshHost('127.0.1.1')]);
    expect(headers.get('location')).toBe('/api/v0/host/127.0.1.1');
    expect((await service().get(host('127.0.1.1'))).body).toEqual(freshHost('127.0.1.1'));
  });

  test('enrolling stores record, credentials, membership and the work to do', async () => {
    await enrol('127.0.1.2', { cluster: 'home', remote_user: 'core', ssh_port: 2222, host_keys: [HOST_KEY] });
    expect((await service().get('/api/v0/cluster/home/hosts/127.0.1.2')).status).toBe(200);
    const creds = await service().get(`${host('127.0.1.2')}/creds`);
    expect([creds.status, creds.body]).toEqual([200, { ssh_priv_key: PRIVATE_KEY, remote_user: 'core' }]);
    expect(await workOn('127.0.1.2')).toEqual([
      { kind: 'bootstrap', host: '127.0.1.2', enrolment: expect.any(String) },
    ]);
    const access = await service().store.reads.hostAccess.get('127.0.1.2' as Address);
    expect(access).toMatchObject({ sshPort: 2222, hostKeys: [HOST_KEY] });
    expect(access?.sshPrivKey).not.toContain(PRIVATE_KEY);
  });

  test('the remote user is root by default', async () => {
    await enrol('127.0.1.3');
    expect((await service().get(`${host('127.0.1.3')}/creds`)).body).toMatchObject({ remote_user: 'root' });
  });

  test('an address is known in all its forms by the canonical one', async () => {
    const { body } = await enrol('0:0:0::00AA');
    expect(body).toMatchObject({ address: '::aa' });
    expect((await service().get(host('%3A%3Aaa'))).status).toBe(200);
    expect((await enrol('::ffff:127.0.1.4')).body).toMatchObject({ address: '127.0.1.4' });
    expect((await enrol('127.0.1.4', { host: '::ffff:7f00:104', address: '127.0.1.4' })).status).toBe(200);
  });

  test('repeating it compares what is given, and restarts nothing', async () => {
    await enrol('127.0.1.5', { cluster: 'home', remote_user: 'core', ssh_port: 2222 });
    await service().makeHosts('failed', undefined, '127.0.1.5');
    for (const same of [{}, { remote_user: 'core' }, { cluster: 'home', ssh_port: 2222, source: '' }]) {
      const repeated = await enrol('127.0.1.5', same);
      expect([repeated.status, repeated.body]).toMatchObject([200, { status: 'failed' }]);
    }
    expect(await workOn('127.0.1.5')).toHaveLength(1);
  });

  test.each([
    [{ ssh_priv_key: OTHER_PRIVATE_KEY }, 'host_conflict'],
    [{ ssh_priv_key: 'no key at all' }, 'host_conflict'],
    [{ remote_user: 'someone' }, 'host_conflict'],
    [{ ssh_port: 23 }, 'host_conflict'],
    [{ host_keys: [HOST_KEY] }, 'host_conflict'],
    [{ cluster: 'home' }, 'conflict'],
    [{ cluster: 'nowhere' }, 'conflict'],
  ])('a known host with %o is a conflict', async (more, code) => {
    await enrol('127.0.1.6');
    expect(await service().refusal(enrol('127.0.1.6', more))).toBe(`409 ${code}`);
  });

  test('a conflict names the fields that differ', async () => {
    await enrol('127.0.1.6');
    const { body } = await enrol('127.0.1.6', { ssh_priv_key: OTHER_PRIVATE_KEY, ssh_port: 23 });
    expect(body).toMatchObject({
      detail:
        'the host 127.0.1.6 is already enrolled with a different ssh_priv_key, ssh_port; to enrol it again, remove it first',
      errors: [
        { path: '/ssh_priv_key', message: 'differs from the enrolled host' },
        { path: '/ssh_port', message: 'differs from the enrolled host' },
      ],
    });
  });

  test('repeating it without host keys is not held against those that were learnt at the first contact', async () => {
    await enrol('127.0.1.13', { host_keys: [] });
    await service().store.transaction(records =>
      records.hostAccess.pinHostKey('127.0.1.13' as Address, HOST_KEY),
    );
    for (const same of [
      {},
      { host_keys: [] },
      { host_keys: [HOST_KEY] },
      { host_keys: [`${HOST_KEY} root@host`] },
    ]) {
      expect((await enrol('127.0.1.13', same)).status).toBe(200);
    }
    for (const host_keys of [[OTHER_HOST_KEY], [HOST_KEY, OTHER_HOST_KEY]]) {
      expect(await service().refusal(enrol('127.0.1.13', { host_keys }))).toBe('409 host_conflict');
    }
  });

  test('repeating it with the host keys that were given finds it, in any order', async () => {
    await enrol('127.0.1.14', { host_keys: [HOST_KEY, OTHER_HOST_KEY] });
    expect((await enrol('127.0.1.14', { host_keys: [OTHER_HOST_KEY, HOST_KEY] })).status).toBe(200);
    expect(await service().refusal(enrol('127.0.1.14', { host_keys: [HOST_KEY] }))).toBe('409 host_conflict');
  });

  test('a host of another cluster does not move by enrolling it again', async () => {
    await service().put('/api/v0/cluster/away', { network: 'default' });
    await enrol('127.0.1.7', { cluster: 'home' });
    expect(await service().refusal(enrol('127.0.1.7', { cluster: 'away' }))).toBe(
      '409 host_in_other_cluster',
    );
  });

  test.each([
    [{ ssh_priv_key: undefined }, '400 invalid_body'],
    [{ ssh_priv_key: '' }, '400 invalid_body'],
    [{ ssh_priv_key: 7 }, '400 invalid_body'],
    [{ ssh_priv_key: 'not base64!' }, '400 invalid_private_key'],
    [{ ssh_priv_key: Buffer.from('hello').toString('base64') }, '400 invalid_private_key'],
    [{ ssh_priv_key: PRIVATE_KEY.replace(/(.{60})/, '$1\n') }, '400 invalid_private_key'],
    [{ remote_user: '' }, '400 invalid_body'],
    [{ remote_user: '-oProxyCommand=x' }, '400 invalid_body'],
    [{ remote_user: 'a b' }, '400 invalid_body'],
    [{ ssh_port: 0 }, '400 invalid_body'],
    [{ ssh_port: 65_536 }, '400 invalid_body'],
    [{ ssh_port: '22' }, '400 invalid_body'],
    [{ host_keys: ['not a key'] }, '400 invalid_body'],
    [{ host_keys: ['ssh-ed25519 AAAA'] }, '400 invalid_body'],
    [{ cluster: 'not a name' }, '400 invalid_body'],
    [{ source: 'unknown' }, '400 invalid_body'],
    [{ host: '127.0.1.99' }, '400 path_mismatch'],
    [{ address: 'localhost' }, '400 path_mismatch'],
    [{ cluster: 'nowhere' }, '409 unknown_cluster'],
  ])('a new host with %o is refused with %s, and nothing is stored', async (more, refusal) => {
    expect(await service().refusal(enrol('127.0.1.8', more))).toBe(refusal);
    expect((await service().get(host('127.0.1.8'))).status).toBe(404);
    expect(await workOn('127.0.1.8')).toEqual([]);
  });

  test('a refused key is not repeated in the answer', async () => {
    const key = Buffer.from(
      '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEISECRET\n-----END PRIVATE KEY-----',
    ).toString('base64');
    const { text } = await enrol('127.0.1.8', { ssh_priv_key: key });
    expect(text).not.toContain(key.slice(40, 60));
    expect(text).not.toContain('SECRET');
  });

  test.each([
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '127.0.0.01',
    '127.0.0.256',
    'fe80::1%25eth0',
    ':::',
    '1.2.3.4.5',
    '%zz',
  ])('the address %s is refused', async address => {
    expect(await service().refusal(enrol(address))).toBe('400 invalid_address');
    expect(await service().refusal(service().get(host(address)))).toBe('400 invalid_address');
    expect(await service().refusal(service().delete(host(address)))).toBe('400 invalid_address');
  });

  test('a removed host is gone with its credentials and its membership, and only leaving is left to be done', async () => {
    await enrol('127.0.1.9', { cluster: 'home' });
    const removed = await service().delete(host('127.0.1.9'), { body: {} });
    expect([removed.status, removed.body]).toEqual([200, []]);
    for (const path of ['', '/creds', '/status']) {
      expect(await service().refusal(service().get(host('127.0.1.9') + path))).toBe('404 not_found');
    }
    expect((await service().get('/api/v0/cluster/home/hosts/127.0.1.9')).status).toBe(404);
    expect((await workOn('127.0.1.9')).map(work => work.kind)).toEqual(['leave']);
    expect(await service().refusal(service().delete(host('127.0.1.9')))).toBe('404 not_found');
    expect((await enrol('127.0.1.9', { ssh_priv_key: OTHER_PRIVATE_KEY })).status).toBe(201);
  });

  test('what takes a host out of its cluster is still to be done when the host is gone, and tells it from the next one', async () => {
    await service().put('/api/v0/containermanager/left', {
      type: 'k3s',
      options: { server_url: 'https://127.0.0.1', token: 'x' },
    });
    await service().put('/api/v0/cluster/left', { network: 'default', container_manager: 'left' });
    await enrol('127.0.0.3', { cluster: 'left' });
    await service().delete('/api/v0/cluster/left/hosts/127.0.0.3');
    await service().delete(host('127.0.0.3'));
    await service().delete('/api/v0/cluster/left');
    await service().delete('/api/v0/containermanager/left');
    await enrol('127.0.0.3');
    const [leave, bootstrap] = await workOn('127.0.0.3');
    expect(leave).toMatchObject({
      kind: 'leave',
      cluster: 'left',
      network: { name: 'default', type: 'none' },
      containerManager: {
        type: 'k3s',
        options: { server_url: 'https://127.0.0.1' },
        sealedOptions: { token: expect.any(String) },
      },
    });
    expect(bootstrap).toMatchObject({ kind: 'bootstrap' });
    expect(bootstrap?.enrolment).not.toBe(leave?.enrolment);
  });

  test('of many that enrol the same host at once, one makes it and the others find it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => enrol('127.0.1.10')));
    expect(answers.map(answer => answer.status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(await workOn('127.0.1.10')).toHaveLength(1);
  });

  test('without an address in the path the caller enrols itself', async () => {
    const enrolAccount = await service().makeAccount('enroller', 'enrol');
    const own = (body: object, as?: string) =>
      service().put('/api/v0/host', { ssh_priv_key: PRIVATE_KEY, ...body }, as ? { as } : {});
    const made = await own({}, enrolAccount);
    expect([made.status, made.body, made.headers.get('location')]).toEqual([
      201,
      freshHost('127.0.0.1'),
      '/api/v0/host/127.0.0.1',
    ]);
    expect((await own({ host: '::ffff:127.0.0.1' }, enrolAccount)).status).toBe(200);
    expect(await service().refusal(own({ host: '127.0.1.11' }, enrolAccount))).toBe('403 address_mismatch');
    expect((await own({ address: '127.0.1.11' })).body).toMatchObject({ address: '127.0.1.11' });
    const operator = await service().makeAccount('host-operator', 'operator');
    expect((await own({ host: '127.0.1.12' }, operator)).status).toBe(201);
    expect(await service().refusal(own({ host: 'a name' }))).toBe('400 invalid_body');
    expect(await service().refusal(own({ host: '127.0.1.1', address: '127.0.1.2' }))).toBe(
      '400 invalid_body',
    );
  });

  test('without a proxy that is trusted, X-Forwarded-For does not count', async () => {
    await service().delete(host('127.0.0.1'));
    const answer = await service().put(
      '/api/v0/host',
      { ssh_priv_key: PRIVATE_KEY },
      { headers: { 'x-forwarded-for': '127.0.1.66' } },
    );
    expect(answer.body).toMatchObject({ address: '127.0.0.1' });
  });
});

onEachStore(
  'hosts behind a proxy that is trusted',
  service => {
    test('enrol themselves with the address that the proxy tells', async () => {
      const headers = { 'x-forwarded-for': '127.0.1.67' };
      const { body } = await service().put('/api/v0/host', { ssh_priv_key: PRIVATE_KEY }, { headers });
      expect(body).toMatchObject({ address: '127.0.1.67' });
    });

    test.each(['unknown', 'a name', '<script>', '127.0.1.68, _hidden', '999.1.1.1'])(
      'have the address of the proxy if that sends %s',
      async forwarded => {
        await service().delete('/api/v0/host/127.0.0.1');
        const { body } = await service().put(
          '/api/v0/host',
          { ssh_priv_key: PRIVATE_KEY },
          { headers: { 'x-forwarded-for': forwarded } },
        );
        expect(body).toMatchObject({ address: '127.0.0.1' });
        const [entry] = (await service().get<{ address: string }[]>('/api/v0/audit?limit=1')).body;
        expect(entry?.address).toBe('127.0.0.1');
      },
    );
  },
  { HOSTLER_TRUST_PROXY: '127.0.0.0/8' },
);
