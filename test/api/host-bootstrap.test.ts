import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { HOST_STATUSES } from '../../src/domain/vocabulary.ts';
import { freshHost } from '../harness/fresh-host.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

interface Entry {
  readonly type: string;
  readonly data: object;
}

onEachStore('bootstrapping a host again', service => {
  const bootstrap = (address: string, body?: unknown) =>
    service().put(`/api/v0/host/${address}/bootstrap`, body);
  const workOn = (address: string) => service().store.reads.tasks.list(address as Address);
  const told = async (address: string) =>
    (await service().get<Entry[]>(`/api/v0/audit?type=host.status&subject=${address}`)).body;

  test.each(HOST_STATUSES)(
    'makes one that is %s investigating, with one bootstrap to be done',
    async status => {
      const address = `127.0.1.${HOST_STATUSES.indexOf(status) + 1}`;
      await service().makeHosts(status, undefined, address);
      await service().store.transaction(records =>
        records.hosts.setStatus([address as Address], status, 'auth_rejected'),
      );
      const answer = await bootstrap(address);
      expect([answer.status, answer.body]).toEqual([200, freshHost(address)]);
      expect((await service().get(`/api/v0/host/${address}`)).body).toEqual(freshHost(address));
      expect((await service().store.reads.hosts.get(address as Address))?.reason).toBe('');
      expect((await workOn(address)).map(work => work.kind)).toEqual(['bootstrap']);
      const moved = [{ data: { from: status, to: 'investigating' } }];
      expect(await told(address)).toMatchObject(status === 'investigating' ? [] : moved);
    },
  );

  test('keeps what else is to be done, in its order', async () => {
    await service().put('/api/v0/cluster/home', { network: 'default' });
    await service().makeHosts('disassociated', undefined, '127.0.2.1');
    await service().put('/api/v0/cluster/home/hosts/127.0.2.1');
    await bootstrap('127.0.2.1', {});
    expect((await workOn('127.0.2.1')).map(work => work.kind)).toEqual(['join', 'bootstrap']);
  });

  test('by many at once leaves one bootstrap to be done, and tells the status once', async () => {
    await service().makeHosts('failed', undefined, '127.0.2.2');
    const answers = await Promise.all(Array.from({ length: 10 }, () => bootstrap('127.0.2.2')));
    expect(answers.map(answer => answer.status)).toEqual(Array(10).fill(200));
    expect(await workOn('127.0.2.2')).toHaveLength(1);
    expect(await told('127.0.2.2')).toHaveLength(1);
  });

  test('is 404 for a host that is not known, and 400 for a body that contradicts the path', async () => {
    expect(await service().refusal(bootstrap('127.0.2.9'))).toBe('404 not_found');
    expect(await service().refusal(bootstrap('127.0.2.2', { host: '127.0.2.9' }))).toBe('400 path_mismatch');
    expect(await service().refusal(bootstrap('127.0.2.2', []))).toBe('400 invalid_body');
    expect(await workOn('127.0.2.9')).toEqual([]);
  });
});
