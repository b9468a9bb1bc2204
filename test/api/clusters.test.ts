import { beforeAll, expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

describeServer('clusters', service => {
  const cluster = (name: string) => `/api/v0/cluster/${name}`;
  const empty = { status: 'ok', hosts: { total: 0, available: 0, unavailable: 0 } };

  beforeAll(async () => {
    await service().put('/api/v0/network/net', { type: 'none', options: {} });
    await service().put('/api/v0/containermanager/trivial', { type: 'trivial', options: {} });
  });

  test('PUT creates a cluster with 201 and returns exactly its fields', async () => {
    const { status, body } = await service().put(cluster('full'), {
      network: 'net',
      container_manager: 'trivial',
    });
    const expected = { name: 'full', network: 'net', container_manager: 'trivial', ...empty };
    expect([status, body]).toEqual([201, expected]);
    expect((await service().get(cluster('full'))).body).toEqual(expected);
  });

  test.each([{ network: 'net' }, { network: 'net', container_manager: '' }])(
    'PUT creates a cluster without container manager from %j',
    async body => {
      const name = `bare-${Object.keys(body).length}`;
      const created = await service().put(cluster(name), body);
      expect([created.status, created.body]).toEqual([201, { name, network: 'net', container_manager: '', ...empty }]);
    },
  );

  test('a repeated PUT keeps the members, and different settings return 409', async () => {
    await service().put(cluster('kept'), { network: 'net' });
    await service().makeHosts('active', 'kept', '127.1.0.1');
    const repeated = await service().put(cluster('kept'), { network: 'net', container_manager: '' });
    expect([repeated.status, repeated.body]).toMatchObject([200, { hosts: { total: 1 } }]);
    expect(await service().errorCode(service().put(cluster('kept'), { network: 'default' }))).toBe('409 conflict');
    expect((await service().get(cluster('kept'))).body).toMatchObject({ network: 'net' });
  });

  test('PUT with If-Match replaces the settings and keeps the members', async () => {
    const created = await service().put(cluster('moved'), { network: 'net' });
    await service().makeHosts('active', 'moved', '127.1.0.2');
    const headers = { 'if-match': created.headers.get('etag') ?? '' };
    const changed = await service().put(
      cluster('moved'),
      { network: 'default', container_manager: 'trivial' },
      { headers },
    );
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { network: 'default', container_manager: 'trivial', hosts: { total: 1 } },
    ]);
    expect((await service().put(cluster('moved'), { network: 'net' }, { headers })).status).toBe(412);
    expect((await service().get(`${cluster('moved')}/hosts`)).body).toEqual(['127.1.0.2']);
  });

  test('members become disassociated until a new container manager has registered them', async () => {
    const created = await service().put(cluster('managed'), { network: 'net' });
    await service().makeHosts('active', 'managed', '127.1.0.7');
    await service().makeHosts('failed', 'managed', '127.1.0.8');
    const change = async (etag: string | null, container_manager: string) => {
      const headers = { 'if-match': etag ?? '' };
      const changed = await service().put(cluster('managed'), { network: 'net', container_manager }, { headers });
      const statuses = ['127.1.0.7', '127.1.0.8'].map(async address => {
        const { body } = await service().get<{ status: string }>(`/api/v0/host/${address}`);
        return body.status;
      });
      return { etag: changed.headers.get('etag'), statuses: await Promise.all(statuses) };
    };
    const managed = await change(created.headers.get('etag'), 'trivial');
    expect(managed.statuses).toEqual(['disassociated', 'failed']);
    const tasks = await service().store.reads.tasks.list('127.1.0.7' as Address);
    expect(tasks.map(task => task.kind)).toEqual(['bootstrap', 'leave', 'join']);
    expect((await change(managed.etag, '')).statuses).toEqual(['active', 'failed']);
  });

  test.each([
    [{ network: 'nowhere' }, '409 unknown_network'],
    [{ network: 'net', container_manager: 'nowhere' }, '409 unknown_container_manager'],
    [{}, '400 invalid_body'],
    [{ network: '' }, '400 invalid_body'],
    [{ network: 7 }, '400 invalid_body'],
    [{ network: 'not a name' }, '400 invalid_body'],
    [{ network: 'net', container_manager: null }, '400 invalid_body'],
    [{ network: 'net', name: 'other' }, '400 path_mismatch'],
  ])('PUT with %j returns %s and creates nothing', async (body, expected) => {
    expect(await service().errorCode(service().put(cluster('refused'), body))).toBe(expected);
    expect((await service().get(cluster('refused'))).status).toBe(404);
  });

  test('DELETE keeps the members as hosts and disassociates active members', async () => {
    await service().put(cluster('doomed'), { network: 'net' });
    await service().makeHosts('active', 'doomed', '127.1.0.3');
    await service().makeHosts('failed', 'doomed', '127.1.0.4');
    const removed = await service().delete(cluster('doomed'));
    expect([removed.status, removed.body]).toEqual([200, []]);
    expect(await service().errorCode(service().get(cluster('doomed')))).toBe('404 not_found');
    expect(await service().errorCode(service().delete(cluster('doomed')))).toBe('404 not_found');
    expect((await service().get('/api/v0/host/127.1.0.3')).body).toMatchObject({ status: 'disassociated' });
    expect((await service().get('/api/v0/host/127.1.0.4')).body).toMatchObject({ status: 'failed' });
  });

  test('status and counts depend on the member statuses', async () => {
    await service().put(cluster('mixed'), { network: 'net' });
    const health = async () => {
      const { body } = await service().get<{ status: string; hosts: object }>(cluster('mixed'));
      return [body.status, body.hosts];
    };
    await service().makeHosts('failed', 'mixed', '127.1.0.5');
    expect(await health()).toEqual(['failed', { total: 1, available: 0, unavailable: 1 }]);
    await service().makeHosts('investigating', 'mixed', '127.1.0.6');
    expect(await health()).toEqual(['degraded', { total: 2, available: 0, unavailable: 2 }]);
    await service().makeHosts('active', 'mixed', '127.1.0.6');
    expect(await health()).toEqual(['degraded', { total: 2, available: 1, unavailable: 1 }]);
    await service().makeHosts('active', 'mixed', '127.1.0.5');
    expect(await health()).toEqual(['ok', { total: 2, available: 2, unavailable: 0 }]);
  });

  test('both paths return the list of names', async () => {
    const { body } = await service().get<string[]>('/api/v0/cluster/');
    expect(body).toContain('full');
    expect(body).toEqual([...body].sort());
    for (const path of ['/api/v0/cluster', '/api/v0/clusters', '/api/v0/clusters/', '//api//v0//cluster//']) {
      expect((await service().get(path)).body).toEqual(body);
    }
  });

  test('a page of names links to the next page', async () => {
    const first = await service().get<string[]>('/api/v0/clusters?limit=2');
    expect(first.body).toHaveLength(2);
    expect(first.headers.get('link')).toBe(`</api/v0/clusters?limit=2&after=${first.body[1]}>; rel="next"`);
    expect(await service().errorCode(service().get('/api/v0/cluster/?limit=0'))).toBe('400 invalid_query');
    expect(await service().errorCode(service().get('/api/v0/cluster/?limit=many'))).toBe('400 invalid_query');
    expect(await service().errorCode(service().get('/api/v0/cluster/?limit=1&limit=2'))).toBe('400 invalid_query');
    expect(await service().errorCode(service().get('/api/v0/cluster/?after=no%20name'))).toBe('400 invalid_query');
  });

  test('with extended=true the list has the records, in the same pages', async () => {
    const { body: names } = await service().get<string[]>('/api/v0/clusters');
    const records = await Promise.all(names.map(async name => (await service().get(`/api/v0/cluster/${name}`)).body));
    expect((await service().get('/api/v0/cluster/?extended=true')).body).toEqual(records);
    expect(records).toContainEqual(
      expect.objectContaining({ name: 'mixed', hosts: expect.objectContaining({ total: 2 }) }),
    );
    const page = await service().get(`/api/v0/clusters?extended=true&limit=2&after=${names[0]}`);
    expect(page.body).toEqual(records.slice(1, 3));
    expect(page.headers.get('link')).toBe(`</api/v0/clusters?extended=true&limit=2&after=${names[2]}>; rel="next"`);
    expect((await service().get('/api/v0/clusters?extended=true&after=zzz')).body).toEqual([]);
  });
});
