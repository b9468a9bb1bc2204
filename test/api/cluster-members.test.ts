import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

onEachStore('cluster members', service => {
  let name = '';
  let count = 0;
  const members = () => `/api/v0/cluster/${name}/hosts`;
  const replace = (old: unknown, wanted: unknown) => service().put(members(), { old, new: wanted });
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

  test('the list is replaced when old is the current one, in any order and form, and is answered in order', async () => {
    await service().makeHosts('disassociated', undefined, '127.2.0.10', '127.2.0.9', '::2');
    const answer = await replace([], ['::0002', '127.2.0.10', '127.2.0.9', '::ffff:127.2.0.9', '127.2.0.10']);
    expect([answer.status, answer.body]).toEqual([200, ['127.2.0.9', '127.2.0.10', '::2']]);
    expect(await current()).toEqual(answer.body);
    const shrunk = await replace(
      ['0:0:0:0:0:0:0:2', '127.2.0.9', '127.2.0.10', '127.2.0.10'],
      ['127.2.0.10'],
    );
    expect([shrunk.status, shrunk.body]).toEqual([200, ['127.2.0.10']]);
  });

  test.each([
    ['lacks one', (list: string[]) => list.slice(1)],
    ['has one more', (list: string[]) => [...list, '127.9.9.9']],
    ['has another', () => ['127.9.9.9']],
    ['holds something that is no address', (list: string[]) => [...list, 'a name']],
  ])('an old list that %s is a conflict, and nothing changes', async (_what, change) => {
    await service().makeHosts('active', name, `127.4.${count}.1`, `127.4.${count}.2`);
    const list = [`127.4.${count}.1`, `127.4.${count}.2`];
    expect(await service().refusal(replace(change(list), []))).toBe('409 members_changed');
    expect(await current()).toEqual(list);
  });

  test('hosts that join become active, and hosts that leave disassociated', async () => {
    await service().makeHosts('disassociated', undefined, '127.2.1.1');
    await replace([], ['127.2.1.1']);
    expect(await statusOf('127.2.1.1')).toBe('active');
    await replace(['127.2.1.1'], []);
    expect(await statusOf('127.2.1.1')).toBe('disassociated');
  });

  test('with a container manager a host that joins is not active before it is registered there', async () => {
    await service().put('/api/v0/containermanager/for-members', { type: 'trivial', options: {} });
    await service().put('/api/v0/cluster/managed', { network: 'default', container_manager: 'for-members' });
    await service().makeHosts('disassociated', undefined, '127.2.1.2');
    await service().put('/api/v0/cluster/managed/hosts/127.2.1.2');
    expect(await statusOf('127.2.1.2')).toBe('disassociated');
  });

  test('members that stay may be in any status', async () => {
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
  ])(
    'new hosts %j are refused with %s, and the ready one beside them does not join',
    async (wanted, refusal) => {
      await service().makeHosts('investigating', undefined, '127.2.2.1');
      await service().makeHosts('unreachable', undefined, '127.2.2.2');
      await service().makeHosts('disassociated', undefined, '127.2.2.3');
      expect(await service().refusal(replace([], ['127.2.2.3', ...wanted]))).toBe(refusal);
      expect(await current()).toEqual([]);
      expect(await statusOf('127.2.2.3')).toBe('disassociated');
    },
  );

  test('an unknown host is told before an old list that differs, and an unknown cluster before both', async () => {
    expect(await service().refusal(replace(['127.9.9.9'], ['127.2.250.1']))).toBe('404 not_found');
    const answer = await service().put<Problem>('/api/v0/cluster/nowhere/hosts', {
      old: ['x'],
      new: ['127.2.250.1'],
    });
    expect([answer.status, answer.body.detail]).toEqual([404, 'the cluster nowhere does not exist']);
  });

  test.each([
    {},
    { old: [] },
    { new: [] },
    { old: 'x', new: [] },
    { old: [1], new: [] },
    { old: [], new: [null] },
  ])('the body %j is refused', async body => {
    expect(await service().refusal(service().put(members(), body))).toBe('400 invalid_body');
  });

  test('GET of one member is a membership test', async () => {
    await service().makeHosts('active', name, '127.2.3.1');
    const inside = await service().get(`${members()}/127.2.3.1`);
    expect([inside.status, inside.body]).toEqual([200, ['127.2.3.1']]);
    expect(await service().refusal(service().get(`${members()}/127.9.9.9`))).toBe('404 not_found');
    expect(await service().refusal(service().get(`${members()}/127.2.250.1`))).toBe('404 not_found');
    expect(await service().refusal(service().get('/api/v0/cluster/nowhere/hosts/127.2.3.1'))).toBe(
      '404 not_found',
    );
    expect(await service().refusal(service().get(`${members()}/localhost`))).toBe('400 invalid_address');
  });

  test('PUT of one member is idempotent, whatever its status', async () => {
    await service().makeHosts('disassociated', undefined, '127.2.3.2');
    for (const _ of [1, 2]) {
      const added = await service().put(`${members()}/127.2.3.2`);
      expect([added.status, added.body]).toEqual([200, ['127.2.3.2']]);
    }
    await service().makeHosts('failed', undefined, '127.2.3.2');
    expect((await service().put(`${members()}/127.2.3.2`, {})).status).toBe(200);
  });

  test('PUT of one member refuses what may not join', async () => {
    const add = (address: string, cluster = name) =>
      service().put(`/api/v0/cluster/${cluster}/hosts/${address}`);
    await service().makeHosts('bootstrapping', undefined, '127.2.3.3');
    expect(await service().refusal(add('127.2.3.3'))).toBe('409 host_not_ready');
    expect(await service().refusal(add('127.9.9.9'))).toBe('409 host_in_other_cluster');
    expect(await service().refusal(add('127.2.250.1'))).toBe('404 not_found');
    expect(await service().refusal(add('127.9.9.9', 'nowhere'))).toBe('404 not_found');
    const contradicting = service().put(`${members()}/127.9.9.9`, { host: '127.2.3.3' });
    expect(await service().refusal(contradicting)).toBe('400 path_mismatch');
  });

  test('DELETE of one member is idempotent', async () => {
    await service().makeHosts('active', name, '127.2.3.4');
    for (const _ of [1, 2]) {
      const removed = await service().delete(`${members()}/127.2.3.4`);
      expect([removed.status, removed.body]).toEqual([200, []]);
    }
    expect(await statusOf('127.2.3.4')).toBe('disassociated');
    expect((await service().delete(`${members()}/127.2.250.1`)).status).toBe(200);
    expect((await service().delete(`${members()}/127.9.9.9`)).status).toBe(200);
    expect(await service().refusal(service().delete('/api/v0/cluster/nowhere/hosts/127.9.9.9'))).toBe(
      '404 not_found',
    );
    expect((await service().get('/api/v0/cluster/elsewhere/hosts')).body).toEqual(['127.9.9.9']);
  });

  test('members are listed in pages by numeric value', async () => {
    await service().makeHosts('active', name, '127.2.4.100', '127.2.4.20', '127.2.4.3', '::4');
    const first = await service().get<string[]>(`${members()}?limit=3`);
    expect(first.body).toEqual(['127.2.4.3', '127.2.4.20', '127.2.4.100']);
    const rest = await service().get(`${members()}?after=127.2.4.100`);
    expect([rest.body, rest.headers.get('link')]).toEqual([['::4'], null]);
    expect(await service().refusal(service().get(`${members()}?after=x`))).toBe('400 invalid_query');
    expect(await service().refusal(service().get('/api/v0/cluster/nowhere/hosts'))).toBe('404 not_found');
  });

  test('of fifty clients that know the same list and want another, exactly one succeeds', async () => {
    const addresses = Array.from({ length: 50 }, (_, index) => `127.3.${count}.${index + 1}`);
    await service().makeHosts('disassociated', undefined, ...addresses);
    await service().makeHosts('active', name, `127.3.${count}.200`);
    const answers = await Promise.all(addresses.map(address => replace([`127.3.${count}.200`], [address])));
    const winners = addresses.filter((_, index) => answers[index]?.status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(answer => (answer.body as Problem).code === 'members_changed')).toHaveLength(49);
    expect(await current()).toEqual(winners);
  });

  test('a host that two clusters want at once joins one of them', async () => {
    await service().put(`/api/v0/cluster/${name}-b`, { network: 'default' });
    await service().makeHosts('disassociated', undefined, '127.2.5.1');
    const clusters = [name, `${name}-b`];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        service().put(`/api/v0/cluster/${clusters[index % 2]}/hosts/127.2.5.1`),
      ),
    );
    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([200, 409]));
    const holders = await Promise.all(
      clusters.map(cluster => service().get(`/api/v0/cluster/${cluster}/hosts`)),
    );
    expect(holders.flatMap(holder => holder.body)).toEqual(['127.2.5.1']);
  });

  test('crossing changes of two clusters all come to an end', async () => {
    await service().put(`/api/v0/cluster/${name}-b`, { network: 'default' });
    const [a, b] = [`127.5.6.${count}`, `127.5.7.${count}`];
    await service().makeHosts('disassociated', undefined, a, b);
    const put = (cluster: string, address: string) =>
      service().put(`/api/v0/cluster/${cluster}/hosts/${address}`);
    const remove = (cluster: string, address: string) =>
      service().delete(`/api/v0/cluster/${cluster}/hosts/${address}`);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => [
        put(name, a),
        put(`${name}-b`, b),
        put(name, b),
        put(`${name}-b`, a),
        remove(name, a),
        remove(`${name}-b`, b),
      ]).flat(),
    );
    expect(answers.every(answer => [200, 409].includes(answer.status))).toBe(true);
  });
});

onEachStore(
  'a small limit of members',
  service => {
    test('is told before anything changes', async () => {
      await service().put('/api/v0/cluster/small', { network: 'default' });
      const wanted = ['127.0.0.1', '127.0.0.2', '127.0.0.3'];
      const answer = await service().put<Problem>('/api/v0/cluster/small/hosts', { old: [], new: wanted });
      expect([answer.status, answer.body.code]).toEqual([400, 'too_many_members']);
      expect(answer.body.detail).toContain('2');
    });
  },
  { HOSTLER_LIMIT_MEMBERS: '2' },
);
