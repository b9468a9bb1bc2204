import { beforeAll, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/problem.ts';
import { freshListedHost } from '../harness/fresh-host.ts';
import { onEachStore } from '../harness/on-each-store.ts';

interface Listed {
  readonly address: string;
}

onEachStore('the list of hosts', service => {
  const list = async (query = '') => (await service().get<Listed[]>(`/api/v0/hosts${query}`)).body;
  const addresses = async (query = '') => (await list(query)).map(host => host.address);

  beforeAll(async () => {
    await service().put('/api/v0/cluster/home', { network: 'default' });
    await service().put('/api/v0/cluster/empty', { network: 'default' });
    await service().makeHosts('active', 'home', '127.0.1.10', '127.0.1.9');
    await service().makeHosts('failed', undefined, '127.0.2.1');
    await service().makeHosts('investigating', undefined, '::aa', '127.0.0.200');
  });

  test('has every host in order of its address, without source', async () => {
    expect(await addresses()).toEqual(['127.0.0.200', '127.0.1.9', '127.0.1.10', '127.0.2.1', '::aa']);
    expect((await list())[0]).toEqual(freshListedHost('127.0.0.200'));
  });

  test.each([
    ['status=failed', ['127.0.2.1']],
    ['cluster=home', ['127.0.1.9', '127.0.1.10']],
    ['cluster=empty', []],
    ['cluster=', ['127.0.0.200', '127.0.2.1', '::aa']],
    ['cluster=home&q=.1.1', ['127.0.1.10']],
    ['cluster=not%20a%20name', []],
    ['os=debian', []],
    ['os=other', []],
    ['os=&status=active', ['127.0.1.9', '127.0.1.10']],
    ['q=::A', ['::aa']],
    ['q=%25', []],
    ['q=_', []],
    ['after=127.0.1.10', ['127.0.2.1', '::aa']],
    ['after=127.0.1.50', ['127.0.2.1', '::aa']],
    ['unknown=ignored&status=failed', ['127.0.2.1']],
  ])('filtered by %s holds the right hosts', async (query, expected) => {
    expect(await addresses(`?${query}`)).toEqual(expected);
  });

  test('says where the next page is, which keeps the filters', async () => {
    const { headers, body } = await service().get<Listed[]>('/api/v0/hosts?status=active&limit=1');
    expect(body.map(host => host.address)).toEqual(['127.0.1.9']);
    const link = '</api/v0/hosts?status=active&limit=1&after=127.0.1.9>; rel="next"';
    expect(headers.get('link')).toBe(link);
    const next = await service().get<Listed[]>('/api/v0/hosts?status=active&limit=1&after=127.0.1.9');
    expect([next.body.map(host => host.address), next.headers.get('link')]).toEqual([['127.0.1.10'], null]);
  });

  test.each([
    'status=happy',
    'os=windows',
    'os=windows&cluster=no%20name',
    'limit=-1',
    'limit=10001',
    'after=x',
  ])('with %s is refused', async query => {
    const { status, body } = await service().get<Problem>(`/api/v0/hosts?${query}`);
    const path = `/${query.split('=')[0]}`;
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, 'invalid_query', path]);
  });
});
