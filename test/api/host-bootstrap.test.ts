import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { HOST_STATUSES } from '../../src/domain/vocabulary.ts';
import { newHostResponse } from '../harness/host-responses.ts';
import { describeServer } from '../harness/stores/describe-server.ts';

interface Entry {
  readonly type: string;
  readonly data: object;
}

describeServer('PUT /host/{ADDRESS}/bootstrap', service => {
  const bootstrap = (address: string, body?: unknown) => service().put(`/api/v0/host/${address}/bootstrap`, body);
  const tasksOf = (address: string) => service().store.reads.tasks.list(address as Address);
  const statusEvents = async (address: string) =>
    (await service().get<Entry[]>(`/api/v0/audit?type=host.status&subject=${address}`)).body;

  test.each(HOST_STATUSES)('resets a host that is %s to investigating with one bootstrap task', async status => {
    const address = `127.0.1.${HOST_STATUSES.indexOf(status) + 1}`;
    await service().makeHosts(status, undefined, address);
    await service().store.transaction(records =>
      records.hosts.setStatus([address as Address], status, 'auth_rejected'),
    );
    const response = await bootstrap(address);
    expect([response.status, response.body]).toEqual([200, newHostResponse(address)]);
    expect((await service().get(`/api/v0/host/${address}`)).body).toEqual(newHostResponse(address));
    expect((await service().store.reads.hosts.get(address as Address))?.reason).toBe('');
    expect((await tasksOf(address)).map(task => task.kind)).toEqual(['bootstrap']);
    const statusChange = [{ data: { from: status, to: 'investigating' } }];
    expect(await statusEvents(address)).toMatchObject(status === 'investigating' ? [] : statusChange);
  });

  test('keeps the other tasks in order', async () => {
    await service().put('/api/v0/cluster/home', { network: 'default' });
    await service().makeHosts('disassociated', undefined, '127.0.2.1');
    await service().put('/api/v0/cluster/home/hosts/127.0.2.1');
    await bootstrap('127.0.2.1', {});
    expect((await tasksOf('127.0.2.1')).map(task => task.kind)).toEqual(['join', 'bootstrap']);
  });

  test('concurrent requests create one bootstrap task and one status event', async () => {
    await service().makeHosts('failed', undefined, '127.0.2.2');
    const responses = await Promise.all(Array.from({ length: 10 }, () => bootstrap('127.0.2.2')));
    expect(responses.map(response => response.status)).toEqual(Array(10).fill(200));
    expect(await tasksOf('127.0.2.2')).toHaveLength(1);
    expect(await statusEvents('127.0.2.2')).toHaveLength(1);
  });

  test('returns 404 for an unknown host and 400 for an invalid body', async () => {
    expect(await service().errorCode(bootstrap('127.0.2.9'))).toBe('404 not_found');
    expect(await service().errorCode(bootstrap('127.0.2.2', { host: '127.0.2.9' }))).toBe('400 path_mismatch');
    expect(await service().errorCode(bootstrap('127.0.2.2', []))).toBe('400 invalid_body');
    expect(await tasksOf('127.0.2.9')).toEqual([]);
  });
});
