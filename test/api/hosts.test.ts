import { beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { HOST_KEY, OTHER_HOST_KEY, OTHER_PRIVATE_KEY, PRIVATE_KEY } from '../harness/credentials.ts';
import { newHostResponse } from '../harness/host-responses.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

describeServer('hosts', service => {
  const host = (address: string) => `/api/v0/host/${address}`;
  const enrol = (address: string, fields: object = {}) =>
    service().put(host(address), { ssh_priv_key: PRIVATE_KEY, ...fields });
  const tasksOf = (address: string) => service().store.reads.tasks.list(address as Address);

  beforeAll(async () => {
    await service().put('/api/v0/cluster/home', { network: 'default' });
  });

  test('PUT enrols a host with 201 and returns exactly its fields', async () => {
    const { status, body, headers } = await enrol('127.0.1.1');
    expect([status, body]).toEqual([201, newHostResponse('127.0.1.1')]);
    expect(headers.get('location')).toBe('/api/v0/host/127.0.1.1');
    expect((await service().get(host('127.0.1.1'))).body).toEqual(newHostResponse('127.0.1.1'));
  });

  test('PUT stores the record, credentials, membership and bootstrap task', async () => {
    await enrol('127.0.1.2', { cluster: 'home', remote_user: 'core', ssh_port: 2222, host_keys: [HOST_KEY] });
    expect((await service().get('/api/v0/cluster/home/hosts/127.0.1.2')).status).toBe(200);
    const creds = await service().get(`${host('127.0.1.2')}/creds`);
    expect([creds.status, creds.body]).toEqual([200, { ssh_priv_key: PRIVATE_KEY, remote_user: 'core' }]);
    expect(await tasksOf('127.0.1.2')).toEqual([
      { kind: 'bootstrap', host: '127.0.1.2', enrolment: expect.any(String) },
    ]);
    const access = await service().store.reads.hostAccess.get('127.0.1.2' as Address);
    expect(access).toMatchObject({ sshPort: 2222, hostKeys: [HOST_KEY] });
    expect(access?.sshPrivKey).not.toContain(PRIVATE_KEY);
  });

  test('the default remote user is root', async () => {
    await enrol('127.0.1.3');
    expect((await service().get(`${host('127.0.1.3')}/creds`)).body).toMatchObject({ remote_user: 'root' });
  });

  test('all notations of an address refer to the canonical one', async () => {
    const { body } = await enrol('0:0:0::00AA');
    expect(body).toMatchObject({ address: '::aa' });
    expect((await service().get(host('%3A%3Aaa'))).status).toBe(200);
    expect((await enrol('::ffff:127.0.1.4')).body).toMatchObject({ address: '127.0.1.4' });
    expect((await enrol('127.0.1.4', { host: '::ffff:7f00:104', address: '127.0.1.4' })).status).toBe(200);
  });

  test('a repeated PUT compares only the given fields and restarts nothing', async () => {
    await enrol('127.0.1.5', { cluster: 'home', remote_user: 'core', ssh_port: 2222 });
    await service().makeHosts('failed', undefined, '127.0.1.5');
    for (const fields of [{}, { remote_user: 'core' }, { cluster: 'home', ssh_port: 2222, source: '' }]) {
      const repeated = await enrol('127.0.1.5', fields);
      expect([repeated.status, repeated.body]).toMatchObject([200, { status: 'failed' }]);
    }
    expect(await tasksOf('127.0.1.5')).toHaveLength(1);
  });

  test.each([
    ['another private key', { ssh_priv_key: OTHER_PRIVATE_KEY }, 'host_conflict'],
    ['an invalid private key', { ssh_priv_key: 'no key at all' }, 'host_conflict'],
    ['another user', { remote_user: 'other' }, 'host_conflict'],
    ['another port', { ssh_port: 23 }, 'host_conflict'],
    ['other host keys', { host_keys: [HOST_KEY] }, 'host_conflict'],
    ['another cluster', { cluster: 'home' }, 'conflict'],
    ['an unknown cluster', { cluster: 'nowhere' }, 'conflict'],
  ])('PUT on an enrolled host with %s returns 409', async (_difference, fields, code) => {
    await enrol('127.0.1.6');
    expect(await service().errorCode(enrol('127.0.1.6', fields))).toBe(`409 ${code}`);
  });

  test('a conflict lists the fields that differ', async () => {
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

  test('a repeated PUT accepts a host key that was pinned at first contact', async () => {
    await enrol('127.0.1.13', { host_keys: [] });
    await service().store.transaction(records => records.hostAccess.pinHostKey('127.0.1.13' as Address, HOST_KEY));
    for (const fields of [{}, { host_keys: [] }, { host_keys: [HOST_KEY] }, { host_keys: [`${HOST_KEY} root@host`] }]) {
      expect((await enrol('127.0.1.13', fields)).status).toBe(200);
    }
    for (const host_keys of [[OTHER_HOST_KEY], [HOST_KEY, OTHER_HOST_KEY]]) {
      expect(await service().errorCode(enrol('127.0.1.13', { host_keys }))).toBe('409 host_conflict');
    }
  });

  test('a repeated PUT accepts the same host keys in any order', async () => {
    await enrol('127.0.1.14', { host_keys: [HOST_KEY, OTHER_HOST_KEY] });
    expect((await enrol('127.0.1.14', { host_keys: [OTHER_HOST_KEY, HOST_KEY] })).status).toBe(200);
    expect(await service().errorCode(enrol('127.0.1.14', { host_keys: [HOST_KEY] }))).toBe('409 host_conflict');
  });

  test('a repeated PUT does not move a host to another cluster', async () => {
    await service().put('/api/v0/cluster/away', { network: 'default' });
    await enrol('127.0.1.7', { cluster: 'home' });
    expect(await service().errorCode(enrol('127.0.1.7', { cluster: 'away' }))).toBe('409 host_in_other_cluster');
  });

  async function expectRejected(fields: object, expected: string): Promise<void> {
    expect(await service().errorCode(enrol('127.0.1.8', fields))).toBe(expected);
    expect((await service().get(host('127.0.1.8'))).status).toBe(404);
    expect(await tasksOf('127.0.1.8')).toEqual([]);
  }

  test.each([
    [{ ssh_priv_key: undefined }, '400 invalid_body'],
    [{ ssh_priv_key: '' }, '400 invalid_body'],
    [{ ssh_priv_key: 7 }, '400 invalid_body'],
    [{ ssh_priv_key: 'not base64!' }, '400 invalid_private_key'],
    [{ ssh_priv_key: Buffer.from('hello').toString('base64') }, '400 invalid_private_key'],
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
  ])('PUT with %o returns %s and stores nothing', expectRejected);

  test('PUT with a line break in the private key returns 400 and stores nothing', () =>
    expectRejected({ ssh_priv_key: PRIVATE_KEY.replace(/(.{60})/, '$1\n') }, '400 invalid_private_key'));

  test('the response does not repeat an invalid private key', async () => {
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
  ])('rejects the address %s', async address => {
    expect(await service().errorCode(enrol(address))).toBe('400 invalid_address');
    expect(await service().errorCode(service().get(host(address)))).toBe('400 invalid_address');
    expect(await service().errorCode(service().delete(host(address)))).toBe('400 invalid_address');
  });

  test('DELETE removes the host, its credentials and its membership, and leaves only a leave task', async () => {
    await enrol('127.0.1.9', { cluster: 'home' });
    const removed = await service().delete(host('127.0.1.9'), { body: {} });
    expect([removed.status, removed.body]).toEqual([200, []]);
    for (const path of ['', '/creds', '/status']) {
      expect(await service().errorCode(service().get(host('127.0.1.9') + path))).toBe('404 not_found');
    }
    expect((await service().get('/api/v0/cluster/home/hosts/127.0.1.9')).status).toBe(404);
    expect((await tasksOf('127.0.1.9')).map(task => task.kind)).toEqual(['leave']);
    expect(await service().errorCode(service().delete(host('127.0.1.9')))).toBe('404 not_found');
    expect((await enrol('127.0.1.9', { ssh_priv_key: OTHER_PRIVATE_KEY })).status).toBe(201);
  });

  test('a leave task outlives its host and has another enrolment ID than the next host', async () => {
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
    const [leave, bootstrap] = await tasksOf('127.0.0.3');
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

  test('one of many concurrent PUTs creates the host, and the others find it', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => enrol('127.0.1.10')));
    expect(responses.map(response => response.status).sort()).toEqual([...Array(19).fill(200), 201]);
    expect(await tasksOf('127.0.1.10')).toHaveLength(1);
  });

  test('PUT /host without an address enrols the caller', async () => {
    const enrolAccount = await service().makeAccount('enroller', 'enrol');
    const enrolSelf = (body: object, as?: string) =>
      service().put('/api/v0/host', { ssh_priv_key: PRIVATE_KEY, ...body }, as ? { as } : {});
    const created = await enrolSelf({}, enrolAccount);
    expect([created.status, created.body, created.headers.get('location')]).toEqual([
      201,
      newHostResponse('127.0.0.1'),
      '/api/v0/host/127.0.0.1',
    ]);
    expect((await enrolSelf({ host: '::ffff:127.0.0.1' }, enrolAccount)).status).toBe(200);
    expect(await service().errorCode(enrolSelf({ host: '127.0.1.11' }, enrolAccount))).toBe('403 address_mismatch');
    expect((await enrolSelf({ address: '127.0.1.11' })).body).toMatchObject({ address: '127.0.1.11' });
    const operator = await service().makeAccount('host-operator', 'operator');
    expect((await enrolSelf({ host: '127.0.1.12' }, operator)).status).toBe(201);
    expect(await service().errorCode(enrolSelf({ host: 'a name' }))).toBe('400 invalid_body');
    expect(await service().errorCode(enrolSelf({ host: '127.0.1.1', address: '127.0.1.2' }))).toBe('400 invalid_body');
  });

  test('ignores X-Forwarded-For without a trusted proxy', async () => {
    await service().delete(host('127.0.0.1'));
    const response = await service().put(
      '/api/v0/host',
      { ssh_priv_key: PRIVATE_KEY },
      { headers: { 'x-forwarded-for': '127.0.1.66' } },
    );
    expect(response.body).toMatchObject({ address: '127.0.0.1' });
  });
});

describeServer(
  'PUT /host behind a trusted proxy',
  service => {
    test('uses the address from X-Forwarded-For', async () => {
      const headers = { 'x-forwarded-for': '127.0.1.67' };
      const { body } = await service().put('/api/v0/host', { ssh_priv_key: PRIVATE_KEY }, { headers });
      expect(body).toMatchObject({ address: '127.0.1.67' });
    });

    test.each(['unknown', 'a name', '<script>', '127.0.1.68, _hidden', '999.1.1.1'])(
      'uses the address of the proxy if X-Forwarded-For is %s',
      async forwardedFor => {
        await service().delete('/api/v0/host/127.0.0.1');
        const { body } = await service().put(
          '/api/v0/host',
          { ssh_priv_key: PRIVATE_KEY },
          { headers: { 'x-forwarded-for': forwardedFor } },
        );
        expect(body).toMatchObject({ address: '127.0.0.1' });
        const [entry] = (await service().get<{ address: string }[]>('/api/v0/audit?limit=1')).body;
        expect(entry?.address).toBe('127.0.0.1');
      },
    );
  },
  { HOSTLER_TRUST_PROXY: '127.0.0.0/8' },
);
