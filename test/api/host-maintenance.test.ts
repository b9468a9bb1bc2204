import { beforeAll, expect, test } from 'vitest';
import { describeServer } from '../harness/stores/describe-server.ts';

describeServer('host maintenance', service => {
  const path = (address: string) => `/api/v0/host/${address}/maintenance`;
  const put = (address: string, body: unknown) => service().put(path(address), body);
  const get = async (address: string) => (await service().get(path(address))).body;
  const cluster = async (name: string) => (await service().get(`/api/v0/cluster/${name}`)).body;

  beforeAll(async () => {
    await service().put('/api/v0/cluster/home', { network: 'default' });
    await service().makeHosts('active', 'home', '127.0.1.1', '127.0.1.2');
  });

  test('is off by default and can be turned on with or without a reason', async () => {
    expect(await get('127.0.1.1')).toEqual({ on: false, reason: '' });
    const on = { on: true, reason: 'new disk, until Friday ☕' };
    const response = await put('127.0.1.1', on);
    expect([response.status, response.body]).toEqual([200, on]);
    expect(await get('127.0.1.1')).toEqual(on);
    expect((await put('127.0.1.1', { on: true })).body).toEqual({ on: true, reason: '' });
    expect(await get('127.0.1.1')).toEqual({ on: true, reason: '' });
    expect((await put('127.0.1.1', { on: false, reason: 'done' })).body).toEqual({ on: false, reason: '' });
    expect(await get('127.0.1.1')).toEqual({ on: false, reason: '' });
  });

  test('emits an event only if it changes', async () => {
    await service().makeHosts('active', undefined, '127.0.1.3');
    for (const on of [false, true, true, false]) await put('127.0.1.3', { on, reason: 'why' });
    const { body } = await service().get('/api/v0/audit?type=host.maintenance_changed&subject=127.0.1.3');
    expect(body).toMatchObject([
      { host: '127.0.1.3', data: { on: false, reason: '' } },
      { host: '127.0.1.3', data: { on: true, reason: 'why' } },
    ]);
  });

  test('makes a member unavailable and keeps its status', async () => {
    expect(await cluster('home')).toMatchObject({ status: 'ok', hosts: { total: 2, available: 2 } });
    await put('127.0.1.1', { on: true });
    expect(await cluster('home')).toMatchObject({
      status: 'degraded',
      hosts: { total: 2, available: 1, unavailable: 1 },
    });
    const repeated = await service().put('/api/v0/cluster/home', { network: 'default' });
    expect(repeated.body).toMatchObject({ status: 'degraded', hosts: { available: 1 } });
    await put('127.0.1.2', { on: true });
    expect(await cluster('home')).toMatchObject({ status: 'failed', hosts: { available: 0 } });
    expect((await service().get('/api/v0/host/127.0.1.1')).body).toMatchObject({ status: 'active' });
    for (const address of ['127.0.1.1', '127.0.1.2']) await put(address, { on: false });
    expect(await cluster('home')).toMatchObject({ status: 'ok', hosts: { available: 2 } });
  });

  test('does not set the cluster to failed if the member is bootstrapping', async () => {
    await service().put('/api/v0/cluster/new', { network: 'default' });
    await service().makeHosts('bootstrapping', 'new', '127.0.1.4', '127.0.1.5');
    await put('127.0.1.4', { on: true });
    expect(await cluster('new')).toMatchObject({ status: 'degraded', hosts: { total: 2, available: 0 } });
  });

  test.each([
    {},
    { on: 'yes' },
    { on: true, reason: 7 },
    { on: true, reason: 'x'.repeat(257) },
    { on: true, reason: 'two\nlines' },
    { on: true, reason: 'a\0b' },
    { on: true, reason: '\ud800' },
    { on: true, reason: 'two\u2028lines' },
    { on: true, reason: 'text \u202edaer' },
    { on: true, reason: 'text \u2067daer' },
  ])('rejects %j and changes nothing', async body => {
    await put('127.0.1.2', { on: true, reason: 'kept' });
    expect(await service().errorCode(put('127.0.1.2', body))).toBe('400 invalid_body');
    expect(await get('127.0.1.2')).toEqual({ on: true, reason: 'kept' });
  });

  test('returns 404 for an unknown host', async () => {
    expect(await service().errorCode(put('127.0.1.9', { on: true }))).toBe('404 not_found');
    expect(await service().errorCode(service().get(path('127.0.1.9')))).toBe('404 not_found');
  });
});
