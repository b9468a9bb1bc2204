// Concurrent conflicting requests. In any order, every response must be true and the records must stay
// consistent.

import { expect, test } from 'vitest';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import type { Response } from '../harness/service.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { IS_LONG_RUN } from '../harness/vitest/long-run.ts';

const ROUNDS = IS_LONG_RUN ? 15 : 5;
const CLIENTS = 4;

interface Entry {
  readonly type: string;
  readonly data: { readonly joined?: string[]; readonly left?: string[] };
}

describeServer('concurrent requests', service => {
  /** Sends every call from several clients concurrently. */
  const concurrently = (...calls: (() => Promise<Response>)[]): Promise<Response[]> =>
    Promise.all(Array.from({ length: CLIENTS }, () => calls.map(call => call())).flat());
  const rounds = async (round: (count: number) => Promise<void>) => {
    for (let count = 1; count <= ROUNDS; count += 1) await round(count);
  };
  /** The audit entries, oldest first. */
  const auditEntries = async (query: string) =>
    (await service().get<Entry[]>(`/api/v0/audit?limit=1000&${query}`)).body.reverse();

  test.each([
    ['network', '/api/v0/network/raced', { type: 'none', options: {} }],
    ['container_manager', '/api/v0/containermanager/raced', { type: 'trivial', options: {} }],
    ['cluster', '/api/v0/cluster/raced', { network: 'default' }],
    ['account', '/api/v0/user/raced', { password: 'x', role: 'viewer' }],
    ['host', '/api/v0/host/127.0.1.1', { ssh_priv_key: PRIVATE_KEY }],
  ])(
    'a %s that is created and removed concurrently has alternating created and removed entries',
    async (noun, path, body) => {
      let createdCount = 0;
      await rounds(async () => {
        const responses = await concurrently(
          () => service().put(path, body),
          () => service().delete(path),
        );
        expect(responses.map(response => response.status).filter(status => ![200, 201, 404].includes(status))).toEqual(
          [],
        );
        createdCount += responses.filter(response => response.status === 201).length;
      });
      await service().put(path, body);
      const entries = await auditEntries(`subject=${path.split('/').at(-1)}`);
      const types = entries
        .map(entry => entry.type)
        .filter(type => type === `${noun}.created` || type === `${noun}.removed`);
      expect(types.every((type, index) => type === `${noun}.${index % 2 === 0 ? 'created' : 'removed'}`)).toBe(true);
      expect(types.filter(type => type === `${noun}.created`).length).toBeGreaterThanOrEqual(createdCount);
      expect((await service().get(path)).status).toBe(200);
    },
  );

  test('a network cannot be removed while a cluster is created on it', async () => {
    await rounds(async count => {
      await service().put('/api/v0/network/ground', { type: 'none', options: {} });
      await concurrently(
        () => service().put(`/api/v0/cluster/on-ground-${count}`, { network: 'ground' }),
        () => service().delete('/api/v0/network/ground'),
      );
      const hasCluster = (await service().get(`/api/v0/cluster/on-ground-${count}`)).status === 200;
      const hasNetwork = (await service().get('/api/v0/network/ground')).status === 200;
      expect([hasCluster, hasNetwork]).toEqual([hasCluster, hasCluster]);
      await service().delete(`/api/v0/cluster/on-ground-${count}`);
    });
  });

  test('a removed host cannot join a cluster', async () => {
    await service().put('/api/v0/cluster/joined', { network: 'default' });
    await rounds(async () => {
      await service().makeHosts('disassociated', undefined, '127.0.1.2');
      const responses = await concurrently(
        () => service().put('/api/v0/cluster/joined/hosts/127.0.1.2'),
        () => service().delete('/api/v0/host/127.0.1.2'),
      );
      expect(responses.filter(response => ![200, 404].includes(response.status))).toEqual([]);
    });
    const joins = (await auditEntries('type=cluster.members&subject=joined')).map(({ data }) => data);
    expect(joins.every(({ joined }, index) => (joined?.length === 1) === (index % 2 === 0))).toBe(true);
    expect((await service().get('/api/v0/cluster/joined/hosts')).body).toEqual([]);
  });

  test('a host cannot be enrolled into a cluster that is removed concurrently', async () => {
    await rounds(async () => {
      await service().put('/api/v0/cluster/closing', { network: 'default' });
      const responses = await concurrently(
        () => service().put('/api/v0/host/127.0.1.3', { ssh_priv_key: PRIVATE_KEY, cluster: 'closing' }),
        () => service().delete('/api/v0/cluster/closing'),
      );
      expect(responses.filter(response => response.status >= 500)).toEqual([]);
      await service().delete('/api/v0/cluster/closing');
      await service().delete('/api/v0/host/127.0.1.3');
    });
  });
});
