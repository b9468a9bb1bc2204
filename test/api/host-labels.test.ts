import { beforeAll, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

interface HostEntry {
  readonly address: string;
}

const numberedLabels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, '']));

describeServer('host labels', service => {
  const path = (address: string) => `/api/v0/host/${address}/labels`;
  const put = (address: string, labels: unknown) => service().put<Problem>(path(address), labels);
  const get = async (address: string) => (await service().get(path(address))).body;
  const changeEvents = async (address: string) =>
    (await service().get<object[]>(`/api/v0/audit?type=host.labels_changed&subject=${address}`)).body;

  beforeAll(async () => {
    await service().makeHosts('active', undefined, '127.0.1.1', '127.0.1.2', '127.0.1.3', '127.0.1.10');
  });

  test('PUT replaces all labels, and a new host has none', async () => {
    expect(await get('127.0.1.1')).toEqual({});
    const first = { zone: 'a1', 'example.com/role': 'db', spare: '' };
    const response = await put('127.0.1.1', first);
    expect([response.status, response.body]).toEqual([200, first]);
    expect(await get('127.0.1.1')).toEqual(first);
    await put('127.0.1.1', { zone: 'b2' });
    expect(await get('127.0.1.1')).toEqual({ zone: 'b2' });
    await put('127.0.1.1', {});
    expect(await get('127.0.1.1')).toEqual({});
  });

  test('PUT emits an event only if the labels change', async () => {
    await put('127.0.1.2', { a: '1', b: '2' });
    await put('127.0.1.2', { b: '2', a: '1' });
    await put('127.0.1.2', { a: '1' });
    expect(await changeEvents('127.0.1.2')).toMatchObject([
      { host: '127.0.1.2', data: { labels: { a: '1' } } },
      { host: '127.0.1.2', data: { labels: { a: '1', b: '2' } } },
    ]);
  });

  test('accepts label keys that are path parameters elsewhere', async () => {
    const labels = { host: 'x', address: 'y', name: 'z', constructor: 'c' };
    expect((await put('127.0.1.3', labels)).body).toEqual(labels);
    expect(await get('127.0.1.3')).toEqual(labels);
  });

  test('accepts 64 labels with keys and values of 63 characters', async () => {
    const key = 'k'.repeat(63);
    const labels = { ...numberedLabels(63), [key]: 'v'.repeat(63) };
    expect((await put('127.0.1.3', labels)).body).toEqual(labels);
  });

  test.each([
    [{ '': 'x' }, '/'],
    [{ 'a b': 'x' }, '/a b'],
    [{ '-a': 'x' }, '/-a'],
    [{ 'a.': 'x' }, '/a.'],
    [{ ['k'.repeat(64)]: 'x' }, `/${'k'.repeat(64)}`],
    [{ a: 'v'.repeat(64) }, '/a'],
    [{ a: 'x/y' }, '/a'],
    [{ a: 'ä' }, '/a'],
    [{ a: '-' }, '/a'],
    [{ a: 1 }, '/a'],
    [{ a: null }, '/a'],
    [numberedLabels(65), ''],
    [[], ''],
    ['a', ''],
  ])('rejects %j with the path of the error and changes nothing', async (labels, errorPath) => {
    await put('127.0.1.1', { kept: 'yes' });
    const { status, body } = await put('127.0.1.1', labels);
    expect([status, body.code, body.errors?.map(error => error.path)]).toEqual([400, 'invalid_body', [errorPath]]);
    expect(await get('127.0.1.1')).toEqual({ kept: 'yes' });
  });

  test('are removed with their host', async () => {
    await service().makeHosts('active', undefined, '127.0.1.4');
    await put('127.0.1.4', { zone: 'a1' });
    await service().delete('/api/v0/host/127.0.1.4');
    expect(await service().errorCode(service().get(path('127.0.1.4')))).toBe('404 not_found');
    expect(await service().errorCode(put('127.0.1.4', {}))).toBe('404 not_found');
    await service().makeHosts('active', undefined, '127.0.1.4');
    expect(await get('127.0.1.4')).toEqual({});
  });

  test('concurrent PUTs store the labels of one request', async () => {
    const sets = Array.from({ length: 8 }, (_, n) => ({ [`k${n}`]: 'x', n: `${n}` }));
    const responses = await Promise.all(sets.map(labels => put('127.0.1.2', labels)));
    expect(responses.map(response => response.status)).toEqual(Array(8).fill(200));
    expect(sets).toContainEqual(await get('127.0.1.2'));
  });
});

describeServer('GET /hosts by label and hostname', service => {
  const list = async (query: string) =>
    (await service().get<HostEntry[]>(`/api/v0/hosts?${query}`)).body.map(host => host.address);

  beforeAll(async () => {
    await service().makeHosts('active', undefined, '127.0.1.2', '127.0.1.10', '127.0.1.3');
    await service().makeHosts('failed', undefined, '127.0.1.4');
    const labels = {
      '127.0.1.2': { zone: 'a1', role: 'db' },
      '127.0.1.10': { zone: 'a1', role: 'web' },
      '127.0.1.3': { zone: 'b2', role: '' },
      '127.0.1.4': { zone: 'a1' },
    };
    for (const [address, hostLabels] of Object.entries(labels))
      await service().put(`/api/v0/host/${address}/labels`, hostLabels);
    await service().store.transaction(async records => {
      const host = await records.hosts.lock('127.0.1.3' as Address);
      if (host) await records.hosts.update({ ...host, hostname: 'node-3.example.com' });
    });
  });

  test.each([
    ['label=zone', ['127.0.1.2', '127.0.1.3', '127.0.1.4', '127.0.1.10']],
    ['label=zone=a1', ['127.0.1.2', '127.0.1.4', '127.0.1.10']],
    ['label=zone%3Da1', ['127.0.1.2', '127.0.1.4', '127.0.1.10']],
    ['label=role=', ['127.0.1.3']],
    ['label=zone=A1', []],
    ['label=zone=a1&label=role', ['127.0.1.2', '127.0.1.10']],
    ['label=zone=a1&label=role=db&label=zone', ['127.0.1.2']],
    ['label=zone=a1&label=zone=b2', []],
    ['label=zone=a1&status=failed', ['127.0.1.4']],
    ['label=zone=a1&after=127.0.1.2', ['127.0.1.4', '127.0.1.10']],
    ['label=unknown', []],
    ['hostname=node-3.example.com', ['127.0.1.3']],
    ['hostname=node-3', []],
    ['hostname=', ['127.0.1.2', '127.0.1.4', '127.0.1.10']],
  ])('returns the hosts for %s', async (query, expected) => {
    expect(await list(query)).toEqual(expected);
  });

  test('the link to the next page keeps every label', async () => {
    const { headers } = await service().get('/api/v0/hosts?label=zone&label=role&limit=1');
    expect(headers.get('link')).toContain('label=zone&label=role&limit=1&after=127.0.1.2');
  });

  test('accepts several labels from the client', async () => {
    const { body } = await service().client.listHosts({ query: { label: ['zone=a1', 'role=web'] } });
    expect(body.map(host => host.address)).toEqual(['127.0.1.10']);
  });

  const FILTER = 'must be a label filter: key=value or key';

  test.each([
    ['label=', '/label', FILTER],
    ['label==a', '/label', FILTER],
    ['label=a%20b', '/label', FILTER],
    ['label=a=b=c', '/label', FILTER],
    ['label=a&label=-', '/label/1', FILTER],
    ['label=a&'.repeat(17), '/label', 'must have at most 16 entries'],
  ])('rejects %s with the invalid entry', async (query, path, message) => {
    const { status, body } = await service().get<Problem>(`/api/v0/hosts?${query}`);
    expect([status, body.code, body.errors]).toEqual([400, 'invalid_query', [{ path, message }]]);
  });
});
