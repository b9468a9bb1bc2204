import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

describeServer('cluster members', service => {
  let name = '';
  let count = 0;
  const members = () => `/api/v0/cluster/${name}/hosts`;
  const replace = (old: unknown, newHosts: unknown) => service().put(members(), { old, new: newHosts });
  const current = async () => (await service().get(members())).body;
  const statusOf = async (address: string) =>
    (await service().get<{ status: string }>(`/api/v0/host/${address}`)).body.status;

  beforeAll(async () => {
    await service().put('/api/v0/cluster/elsewhere', { network: 'default' });
    await service().makeHosts('active', 'elsewhere', '127.9.9.9');
  });
  beforeEach(async () => {
    count += 1;
    name = `cluster-${count}`;
    await service().put(`/api/v0/cluster/${name}`, { network: 'default' });
  });

  test('PUT replaces the list if `old` is the current list in any order and form, and returns it sorted', async () => {
    await service().makeHosts('disassociated', undefined, '127.2.0.10', '127.2.0.9', '::2');
    const response = await replace([], ['::0002', '127.2.0.10', '127.2.0.9', '::ffff:127.2.0.9', '127.2.0.10']);
    expect([response.status, response.body]).toEqual([200, ['127.2.0.9', '127.2.0.10', '::2']]);
    expect(await current()).toEqual(response.body);
    const shrunk = await replace(['0:0:0:0:0:0:0:2', '127.2.0.9', '127.2.0.10', '127.2.0.10'], ['127.2.0.10']);
    expect([shrunk.status, shrunk.body]).toEqual([200, ['127.2.0.10']]);
  });

  test.each([
    ['lacks a member', (list: string[]) => list.slice(1)],
    ['has an additional host', (list: string[]) => [...list, '127.9.9.9']],
    ['has a different host', () => ['127.9.9.9']],
    ['contains an invalid address', (list: string[]) => [...list, 'a name']],
  ])('PUT with an old list that %s returns 409 and changes nothing', async (_case, change) => {
    await service().makeHosts('active', name, `127.4.${count}.1`, `127.4.${count}.2`);
    const list = [`127.4.${count}.1`, `127.4.${count}.2`];
    expect(await service().errorCode(replace(change(list), []))).toBe('409 members_changed');
    expect(await current()).toEqual(list);
  });

  test('hosts that join become active, and hosts that leave become disassociated', async () => {
    await service().makeHosts('disassociated', undefined, '127.2.1.1');
    await replace([], ['127.2.1.1']);
    expect(await statusOf('127.2.1.1')).toBe('active');
    await replace(['127.2.1.1'], []);
    expect(await statusOf('127.2.1.1')).toBe('disassociated');
  });

  test('a host stays disassociated until the container manager has registered it', async () => {
    await service().put('/api/v0/containermanager/for-members', { type: 'trivial', options: {} });
    await service().put('/api/v0/cluster/managed', { network: 'default', container_manager: 'for-members' });
    await service().makeHosts('disassociated', undefined, '127.2.1.2');
    await service().put('/api/v0/cluster/managed/hosts/127.2.1.2');
    expect(await statusOf('127.2.1.2')).toBe('disassociated');
  });

  test('PUT accepts remaining members in any status', async () => {
    await service().makeHosts('failed', name, '127.2.1.3');
    await service().makeHosts('disassociated', undefined, '127.2.1.4');
    expect((await replace(['127.2.1.3'], ['127.2.1.3', '127.2.1.4'])).status).toBe(200);
    expect(await statusOf('127.2.1.3')).toBe('failed');
  });

  test.each([
    [['127.2.250.1'], '404 not_found'],
    [['127.9.9.9'], '409 host_in_other_cluster'],
    [['127.2.2.1'], '409 host_not_ready'],
    [['127.2.2.2'], '409 host_not_ready'],
    [['a name'], '400 invalid_body'],
    [['127.0.0.1%25lo'], '400 invalid_body'],
  ])('PUT with the new hosts %j returns %s, and no other host joins', async (newHosts, expected) => {
    await service().makeHosts('investigating', undefined, '127.2.2.1');
    await service().makeHosts('unreachable', undefined, '127.2.2.2');
    await service().makeHosts('disassociated', undefined, '127.2.2.3');
    expect(await service().errorCode(replace([], ['127.2.2.3', ...newHosts]))).toBe(expected);
    expect(await current()).toEqual([]);
    expect(await statusOf('127.2.2.3')).toBe('disassociated');
  });

  test('PUT reports an unknown cluster before an unknown host, and an unknown host before an outdated list', async () => {
    expect(await service().errorCode(replace(['127.9.9.9'], ['127.2.250.1']))).toBe('404 not_found');
    const response = await service().put<Problem>('/api/v0/cluster/nowhere/hosts', {
      old: ['x'],
      new: ['127.2.250.1'],
    });
    expect([response.status, response.body.detail]).toEqual([404, 'the cluster nowhere does not exist']);
  });

  test.each([{}, { old: [] }, { new: [] }, { old: 'x', new: [] }, { old: [1], new: [] }, { old: [], new: [null] }])(
    'PUT rejects the body %j',
    async body => {
      expect(await service().errorCode(service().put(members(), body))).toBe('400 invalid_body');
    },
  );

  test('GET of one host tests membership', async () => {
    await service().makeHosts('active', name, '127.2.3.1');
    const found = await service().get(`${members()}/127.2.3.1`);
    expect([found.status, found.body]).toEqual([200, ['127.2.3.1']]);
    expect(await service().errorCode(service().get(`${members()}/127.9.9.9`))).toBe('404 not_found');
    expect(await service().errorCode(service().get(`${members()}/127.2.250.1`))).toBe('404 not_found');
    expect(await service().errorCode(service().get('/api/v0/cluster/nowhere/hosts/127.2.3.1'))).toBe('404 not_found');
    expect(await service().errorCode(service().get(`${members()}/localhost`))).toBe('400 invalid_address');
  });

  test('PUT of one host is idempotent in any host status', async () => {
    await service().makeHosts('disassociated', undefined, '127.2.3.2');
    for (const _ of [1, 2]) {
      const added = await service().put(`${members()}/127.2.3.2`);
      expect([added.status, added.body]).toEqual([200, ['127.2.3.2']]);
    }
    await service().makeHosts('failed', undefined, '127.2.3.2');
    expect((await service().put(`${members()}/127.2.3.2`, {})).status).toBe(200);
  });

  test('PUT of one host rejects hosts that cannot join', async () => {
    const add = (address: string, cluster = name) => service().put(`/api/v0/cluster/${cluster}/hosts/${address}`);
    await service().makeHosts('bootstrapping', undefined, '127.2.3.3');
    expect(await service().errorCode(add('127.2.3.3'))).toBe('409 host_not_ready');
    expect(await service().errorCode(add('127.9.9.9'))).toBe('409 host_in_other_cluster');
    expect(await service().errorCode(add('127.2.250.1'))).toBe('404 not_found');
    expect(await service().errorCode(add('127.9.9.9', 'nowhere'))).toBe('404 not_found');
    const contradicting = service().put(`${members()}/127.9.9.9`, { host: '127.2.3.3' });
    expect(await service().errorCode(contradicting)).toBe('400 path_mismatch');
  });

  test('DELETE of one host is idempotent', async () => {
    await service().makeHosts('active', name, '127.2.3.4');
    for (const _ of [1, 2]) {
      const removed = await service().delete(`${members()}/127.2.3.4`);
      expect([removed.status, removed.body]).toEqual([200, []]);
    }
    expect(await statusOf('127.2.3.4')).toBe('disassociated');
    expect((await service().delete(`${members()}/127.2.250.1`)).status).toBe(200);
    expect((await service().delete(`${members()}/127.9.9.9`)).status).toBe(200);
    expect(await service().errorCode(service().delete('/api/v0/cluster/nowhere/hosts/127.9.9.9'))).toBe(
      '404 not_found',
    );
    expect((await service().get('/api/v0/cluster/elsewhere/hosts')).body).toEqual(['127.9.9.9']);
  });

  test('GET returns pages in numeric order', async () => {
    await service().makeHosts('active', name, '127.2.4.100', '127.2.4.20', '127.2.4.3', '::4');
    const first = await service().get<string[]>(`${members()}?limit=3`);
    expect(first.body).toEqual(['127.2.4.3', '127.2.4.20', '127.2.4.100']);
    const rest = await service().get(`${members()}?after=127.2.4.100`);
    expect([rest.body, rest.headers.get('link')]).toEqual([['::4'], null]);
    expect(await service().errorCode(service().get(`${members()}?after=x`))).toBe('400 invalid_query');
    expect(await service().errorCode(service().get('/api/v0/cluster/nowhere/hosts'))).toBe('404 not_found');
  });

  test('exactly one of fifty concurrent clients with the same old list succeeds', async () => {
    const addresses = Array.from({ length: 50 }, (_, index) => `127.3.${count}.${index + 1}`);
    await service().makeHosts('disassociated', undefined, ...addresses);
    await service().makeHosts('active', name, `127.3.${count}.200`);
    const responses = await Promise.all(addresses.map(address => replace([`127.3.${count}.200`], [address])));
    const winners = addresses.filter((_, index) => responses[index]?.status === 200);
    expect(winners).toHaveLength(1);
    expect(responses.filter(response => (response.body as Problem).code === 'members_changed')).toHaveLength(49);
    expect(await current()).toEqual(winners);
  });

  test('a host that is added to two clusters concurrently joins one of them', async () => {
    await service().put(`/api/v0/cluster/${name}-b`, { network: 'default' });
    await service().makeHosts('disassociated', undefined, '127.2.5.1');
    const clusters = [name, `${name}-b`];
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => service().put(`/api/v0/cluster/${clusters[index % 2]}/hosts/127.2.5.1`)),
    );
    expect(new Set(responses.map(response => response.status))).toEqual(new Set([200, 409]));
    const lists = await Promise.all(clusters.map(cluster => service().get(`/api/v0/cluster/${cluster}/hosts`)));
    expect(lists.flatMap(list => list.body)).toEqual(['127.2.5.1']);
  });

  test('concurrent changes of the same hosts in two clusters do not deadlock', async () => {
    await service().put(`/api/v0/cluster/${name}-b`, { network: 'default' });
    const [a, b] = [`127.5.6.${count}`, `127.5.7.${count}`];
    await service().makeHosts('disassociated', undefined, a, b);
    const put = (cluster: string, address: string) => service().put(`/api/v0/cluster/${cluster}/hosts/${address}`);
    const remove = (cluster: string, address: string) =>
      service().delete(`/api/v0/cluster/${cluster}/hosts/${address}`);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => [
        put(name, a),
        put(`${name}-b`, b),
        put(name, b),
        put(`${name}-b`, a),
        remove(name, a),
        remove(`${name}-b`, b),
      ]).flat(),
    );
    expect(responses.every(response => [200, 409].includes(response.status))).toBe(true);
  });
});

describeServer(
  'HOSTLER_LIMIT_MEMBERS',
  service => {
    test('rejects a list with more members than the limit', async () => {
      await service().put('/api/v0/cluster/small', { network: 'default' });
      const newHosts = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
      const response = await service().put<Problem>('/api/v0/cluster/small/hosts', {
        old: [],
        new: newHosts,
      });
      expect([response.status, response.body.code]).toEqual([400, 'too_many_members']);
      expect(response.body.detail).toContain('2');
    });
  },
  { HOSTLER_LIMIT_MEMBERS: '2' },
);
