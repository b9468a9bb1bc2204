import { beforeAll, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { newListedHost } from '../harness/host-responses.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

interface HostEntry {
  readonly address: string;
}

describeServer('GET /hosts', service => {
  const list = async (query = '') => (await service().get<HostEntry[]>(`/api/v0/hosts${query}`)).body;
  const addresses = async (query = '') => (await list(query)).map(host => host.address);

  const setHostname = (address: string, hostname: string) =>
    service().store.transaction(async records => {
      const host = await records.hosts.lock(address as Address);
      if (host) await records.hosts.update({ ...host, hostname });
    });

  beforeAll(async () => {
    await service().put('/api/v0/cluster/home', { network: 'default' });
    await service().put('/api/v0/cluster/empty', { network: 'default' });
    await service().makeHosts('active', 'home', '127.0.1.10', '127.0.1.9');
    await service().makeHosts('failed', undefined, '127.0.2.1');
    await service().makeHosts('investigating', undefined, '::aa', '127.0.0.200');
    await setHostname('127.0.1.10', 'Web-1.example.org');
    await setHostname('127.0.2.1', 'web-1');
    await setHostname('::aa', 'db_1');
    await service().put('/api/v0/host/127.0.1.9/labels', { zone: 'A_1', role: '' });
  });

  test('returns all hosts in address order, without source', async () => {
    expect(await addresses()).toEqual(['127.0.0.200', '127.0.1.9', '127.0.1.10', '127.0.2.1', '::aa']);
    expect((await list())[0]).toEqual(newListedHost('127.0.0.200'));
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
    ['q=_', ['127.0.1.9', '::aa']],
    ['q=WEB', ['127.0.1.10', '127.0.2.1']],
    ['q=web-1.', ['127.0.1.10']],
    ['q=db_1', ['::aa']],
    ['q=db%251', []],
    ['q=%5C', []],
    ['q=zone', ['127.0.1.9']],
    ['q=zone%3Da_', ['127.0.1.9']],
    ['q=e%3D&status=active', ['127.0.1.9']],
    ['q=web&label=zone', []],
    ['hostname=web-1', ['127.0.2.1']],
    ['hostname=WEB-1.EXAMPLE.org', ['127.0.1.10']],
    ['hostname=web', []],
    ['hostname=web_1', []],
    ['after=127.0.1.10', ['127.0.2.1', '::aa']],
    ['after=127.0.1.50', ['127.0.2.1', '::aa']],
  ])('returns the hosts for %s', async (query, expected) => {
    expect(await addresses(`?${query}`)).toEqual(expected);
  });

  test('extended=true adds fields to each host and keeps the pages', async () => {
    await service().put('/api/v0/host/127.0.1.9/labels', { zone: 'a', 'example.org/rack': 'r1', empty: '' });
    await service().put('/api/v0/host/127.0.1.9/maintenance', { on: true, reason: 'new "disk"' });
    const reason = 'auth_rejected: server sent "no" \\ and \u2028';
    await service().store.transaction(async records => {
      const host = await records.hosts.lock('127.0.2.1' as Address);
      if (host) await records.hosts.update({ ...host, status: 'failed', reason, hostname: 'web-"1"' });
    });
    const plain = await list();
    const defaults = { hostname: '', cluster: '', labels: {}, maintenance: false, reason: '' };
    const [first, second, third, fourth, fifth] = plain;
    const expected = [
      { ...first, ...defaults },
      {
        ...{ ...second, ...defaults, cluster: 'home', maintenance: true },
        labels: { empty: '', 'example.org/rack': 'r1', zone: 'a' },
      },
      { ...third, ...defaults, hostname: 'Web-1.example.org', cluster: 'home' },
      { ...fourth, ...defaults, hostname: 'web-"1"', reason },
      { ...fifth, ...defaults, hostname: 'db_1' },
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
    const response = await service().get('/api/v0/hosts?extended=true&status=failed', { as: viewer });
    expect(response.body).toEqual(expected.slice(3, 4));
  });

  test('the link to the next page keeps the filters', async () => {
    const { headers, body } = await service().get<HostEntry[]>('/api/v0/hosts?status=active&limit=1');
    expect(body.map(host => host.address)).toEqual(['127.0.1.9']);
    const link = '</api/v0/hosts?status=active&limit=1&after=127.0.1.9>; rel="next"';
    expect(headers.get('link')).toBe(link);
    const next = await service().get<HostEntry[]>('/api/v0/hosts?status=active&limit=1&after=127.0.1.9');
    expect([next.body.map(host => host.address), next.headers.get('link')]).toEqual([['127.0.1.10'], null]);
  });

  test.each([
    'status=unknown',
    'os=windows',
    'os=windows&cluster=no%20name',
    'limit=-1',
    'limit=10001',
    'after=x',
    'extended=yes',
    'extended=',
  ])('rejects the query %s', async query => {
    const { status, body } = await service().get<Problem>(`/api/v0/hosts?${query}`);
    const path = `/${query.split('=')[0]}`;
    expect([status, body.code, body.errors?.[0]?.path]).toEqual([400, 'invalid_query', path]);
  });
});
