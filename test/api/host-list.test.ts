import { beforeAll, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { freshListedHost } from '../harness/fresh-host.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

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

  test('tells more of each host when it is asked to, in the same pages', async () => {
    await service().put('/api/v0/host/127.0.1.9/labels', { zone: 'a', 'example.org/rack': 'r1', empty: '' });
    await service().put('/api/v0/host/127.0.1.9/maintenance', { on: true, reason: 'new "disk"' });
    const reason = 'auth_rejected: it says "no" \\ and \u2028';
    await service().store.transaction(async records => {
      const host = await records.hosts.lock('127.0.2.1' as Address);
      if (host) await records.hosts.update({ ...host, status: 'failed', reason, hostname: 'web-"1"' });
    });
    const plain = await list();
    const more = { hostname: '', cluster: '', labels: {}, maintenance: false, reason: '' };
    const [first, second, third, fourth, fifth] = plain;
    const expected = [
      { ...first, ...more },
      {
        ...{ ...second, ...more, cluster: 'home', maintenance: true },
        labels: { empty: '', 'example.org/rack': 'r1', zone: 'a' },
      },
      { ...third, ...more, cluster: 'home' },
      { ...fourth, ...more, hostname: 'web-"1"', reason },
      { ...fifth, ...more },
    ];
    expect(await list('?extended=true')).toEqual(expected);
    expect(await list('?extended=true&label=zone%3Da')).toEqual(expected.slice(1, 2));
    expect(await list('?extended=true&cluster=not%20a%20name')).toEqual([]);
    expect(await list('?extended=false')).toEqual(plain);
    const { headers, body } = await service().get('/api/v0/hosts?extended=true&status=active&limit=1');
    expect([body, headers.get('link')]).toEqual([
      expected.slice(1, 2),
      '</api/v0/hosts?extended=true&status=active&limit=1&after=127.0.1.9>; rel="next"',
    ]);
    const viewer = await service().makeAccount('reader', 'viewer');
    const seen = await service().get('/api/v0/hosts?extended=true&status=failed', { as: viewer });
    expect(seen.body).toEqual(expected.slice(3, 4));
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
    'extended=yes',
    'extended=',
  ])('with %s is refused', async query => {
    const { status, body } = await service().get<Problem>(`/api/v0/hosts?${query}`);
    const path = `/${query.split('=')[0]}`;
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, 'invalid_query', path]);
  });
});
