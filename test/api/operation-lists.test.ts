// Runs a server that connects to no hosts.

import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { getOperationId } from '../../src/sdk/response-headers.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

describeServer('GET /operations and GET /operation/{ID}', service => {
  test('returns the hosts of an operation in pages', async () => {
    await service().makeCluster('long');
    await service().makeHosts('active', 'long', '127.1.6.1', '127.1.6.2', '127.1.6.3');
    const id = getOperationId(
      await service().put('/api/v0/cluster/long/restart', { policy: { order: ['127.1.6.3'] } }),
    );
    const page = (query: string) => service().get<{ hosts: { address: string }[] }>(`/api/v0/operation/${id}?${query}`);
    const first = await page('limit=2');
    expect(first.body.hosts.map(({ address }) => address)).toEqual(['127.1.6.3', '127.1.6.1']);
    expect(first.headers.get('link')).toBe(`</api/v0/operation/${id}?limit=2&after=127.1.6.1>; rel="next"`);
    const second = await page('limit=2&after=127.1.6.1');
    expect([second.body.hosts.length, second.headers.get('link')]).toEqual([1, null]);
    expect(await service().errorCode(page('after=127.1.6.9'))).toBe('404 not_found');
    expect(await service().errorCode(page('after=x'))).toBe('400 invalid_query');
  });

  test('returns operations newest first, filtered by cluster, kind and status, in pages', async () => {
    await service().makeCluster('history');
    const ids: string[] = [];
    for (const kind of ['restart', 'upgrade', 'restart']) {
      const id = getOperationId(await service().put(`/api/v0/cluster/history/${kind}`));
      ids.unshift(id);
      await service().store.transaction(async ({ operations }) => {
        const operation = await operations.get(id);
        if (operation === undefined) throw new Error('operation not found');
        const finished = { state: 'finished' as const, finishedAt: operation.startedAt };
        await operations.updateStatus({ ...operation, ...finished }, null);
      });
    }
    const list = async (query: string) =>
      (await service().get<{ id: string }[]>(`/api/v0/operations?${query}`)).body.map(({ id }) => id);
    expect(await list('cluster=history')).toEqual(ids);
    expect(await list('cluster=history&kind=upgrade')).toEqual([ids[1]]);
    expect(await list('cluster=history&status=in_process')).toEqual([]);
    expect(await list('cluster=history&status=finished&limit=2')).toEqual(ids.slice(0, 2));
    expect(await list(`cluster=history&after=${ids[1]}`)).toEqual([ids[2]]);
    expect(await list('cluster=nowhere')).toEqual([]);
    const { headers } = await service().get('/api/v0/operations?cluster=history&limit=1');
    expect(headers.get('link')).toBe(`</api/v0/operations?cluster=history&limit=1&after=${ids[0]}>; rel="next"`);
  });

  test('returns the operations that include a host', async () => {
    await service().makeCluster('pair');
    await service().makeHosts('active', 'pair', '127.1.7.1', '127.1.7.2', '::17');
    const finish = async (id: string) =>
      service().store.transaction(async ({ operations }) => {
        const operation = await operations.get(id);
        if (operation) await operations.updateStatus({ ...operation, state: 'finished', finishedAt: 'then' }, null);
      });
    const ids: string[] = [];
    for (const hosts of [['127.1.7.1'], ['127.1.7.1', '127.1.7.2'], ['::17']]) {
      const id = getOperationId(await service().put('/api/v0/cluster/pair/restart', { policy: { hosts } }));
      ids.push(id);
      await finish(id);
    }
    const list = async (query: string) =>
      (await service().get<{ id: string }[]>(`/api/v0/operations?${query}`)).body.map(({ id }) => id);
    expect(await list('host=127.1.7.1')).toEqual([ids[1], ids[0]]);
    expect(await list('host=127.1.7.1&limit=1')).toEqual([ids[1]]);
    expect(await list(`host=127.1.7.1&after=${ids[1]}`)).toEqual([ids[0]]);
    expect(await list('host=127.1.7.2')).toEqual([ids[1]]);
    expect(await list('host=0:0::17')).toEqual([ids[2]]);
    expect(await list('host=127.1.7.1&cluster=nowhere')).toEqual([]);
    expect(await list('host=127.1.7.9')).toEqual([]);
    await service().delete('/api/v0/host/127.1.7.2');
    expect(await list('host=127.1.7.2')).toEqual([ids[1]]);
  });

  test('returns the budget of an operation in numbers', async () => {
    await service().makeCluster('budget');
    const hosts = ['127.1.8.1', '127.1.8.2', '127.1.8.3', '127.1.8.4'];
    await service().makeHosts('active', 'budget', ...hosts);
    await service().makeHosts('unreachable', 'budget', '127.1.8.5');
    await service().put('/api/v0/host/127.1.8.4/maintenance', { on: true });
    const policy = { max_unavailable: '60%', max_failures: '50%', hosts };
    const id = getOperationId(await service().put('/api/v0/cluster/budget/restart', { policy }));
    await service().store.transaction(async ({ operationHosts }) => {
      const host = await operationHosts.get(id, '127.1.8.1' as Address);
      if (host) await operationHosts.update(id, { ...host, phase: 'failed', holdsSlot: false });
    });
    const { body } = await service().get<{ budget: object }>(`/api/v0/operation/${id}?limit=1`);
    expect(body.budget).toEqual({ max_unavailable: 3, unavailable: 2, max_failures: 2, failed: 1 });
  });

  test.each([
    ['kind=reboot', '400 invalid_query'],
    ['status=running', '400 invalid_query'],
    ['cluster=no%20name', '400 invalid_query'],
    ['limit=1001', '400 invalid_query'],
    ['host=web-1', '400 invalid_query'],
    ['after=not%20an%20id', '400 invalid_query'],
    ['after=unknown', '404 not_found'],
  ])('the query %s returns %s', async (query, expected) => {
    expect(await service().errorCode(service().get(`/api/v0/operations?${query}`))).toBe(expected);
  });
});
