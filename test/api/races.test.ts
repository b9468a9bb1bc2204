// Callers in each other's way. Whatever comes first, what is answered is true, and the records fit together afterwards.

import { expect, test } from 'vitest';
import { PRIVATE_KEY } from '../harness/keys.ts';
import type { Response } from '../harness/service.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

const ROUNDS = process.env['HOSTLER_TEST_ALL'] ? 15 : 5;
const CALLERS = 4;

interface Entry {
  readonly type: string;
  readonly data: { readonly joined?: string[]; readonly left?: string[] };
}

onEachStore('callers at once', service => {
  /** Every call by several callers, all at the same time. */
  const atOnce = (...calls: (() => Promise<Response>)[]): Promise<Response[]> =>
    Promise.all(Array.from({ length: CALLERS }, () => calls.map(call => call())).flat());
  const rounds = async (round: (count: number) => Promise<void>) => {
    for (let count = 1; count <= ROUNDS; count += 1) await round(count);
  };
  /** What happened, oldest first. */
  const history = async (query: string) =>
    (await service().get<Entry[]>(`/api/v0/audit?limit=1000&${query}`)).body.reverse();

  test.each([
    ['network', '/api/v0/network/raced', { type: 'none', options: {} }],
    ['container_manager', '/api/v0/containermanager/raced', { type: 'trivial', options: {} }],
    ['cluster', '/api/v0/cluster/raced', { network: 'default' }],
    ['account', '/api/v0/user/raced', { password: 'x', role: 'viewer' }],
    ['host', '/api/v0/host/127.0.1.1', { ssh_priv_key: PRIVATE_KEY }],
  ])(
    'a %s that is made and removed at once is made before it is removed, each time',
    async (noun, path, body) => {
      let made = 0;
      await rounds(async () => {
        const answers = await atOnce(
          () => service().put(path, body),
          () => service().delete(path),
        );
        expect(
          answers.map(answer => answer.status).filter(status => ![200, 201, 404].includes(status)),
        ).toEqual([]);
        made += answers.filter(answer => answer.status === 201).length;
      });
      await service().put(path, body);
      const entries = await history(`subject=${path.split('/').at(-1)}`);
      const types = entries
        .map(entry => entry.type)
        .filter(type => type === `${noun}.created` || type === `${noun}.removed`);
      expect(
        types.every((type, index) => type === `${noun}.${index % 2 === 0 ? 'created' : 'removed'}`),
      ).toBe(true);
      expect(types.filter(type => type === `${noun}.created`).length).toBeGreaterThanOrEqual(made);
      expect((await service().get(path)).status).toBe(200);
    },
  );

  test('a network is not removed while a cluster is made on it', async () => {
    await rounds(async count => {
      await service().put('/api/v0/network/ground', { type: 'none', options: {} });
      await atOnce(
        () => service().put(`/api/v0/cluster/on-ground-${count}`, { network: 'ground' }),
        () => service().delete('/api/v0/network/ground'),
      );
      const isBuilt = (await service().get(`/api/v0/cluster/on-ground-${count}`)).status === 200;
      const isThere = (await service().get('/api/v0/network/ground')).status === 200;
      expect([isBuilt, isThere]).toEqual([isBuilt, isBuilt]);
      await service().delete(`/api/v0/cluster/on-ground-${count}`);
    });
  });

  test('a host joins no cluster once it is removed', async () => {
    await service().put('/api/v0/cluster/joined', { network: 'default' });
    await rounds(async () => {
      await service().makeHosts('disassociated', undefined, '127.0.1.2');
      const answers = await atOnce(
        () => service().put('/api/v0/cluster/joined/hosts/127.0.1.2'),
        () => service().delete('/api/v0/host/127.0.1.2'),
      );
      expect(answers.filter(answer => ![200, 404].includes(answer.status))).toEqual([]);
    });
    const joins = (await history('type=cluster.members&subject=joined')).map(({ data }) => data);
    expect(joins.every(({ joined }, index) => (joined?.length === 1) === (index % 2 === 0))).toBe(true);
    expect((await service().get('/api/v0/cluster/joined/hosts')).body).toEqual([]);
  });

  test('a host is not enrolled into a cluster that is removed at the same time', async () => {
    await rounds(async () => {
      await service().put('/api/v0/cluster/closing', { network: 'default' });
      const answers = await atOnce(
        () => service().put('/api/v0/host/127.0.1.3', { ssh_priv_key: PRIVATE_KEY, cluster: 'closing' }),
        () => service().delete('/api/v0/cluster/closing'),
      );
      expect(answers.filter(answer => answer.status >= 500)).toEqual([]);
      await service().delete('/api/v0/cluster/closing');
      await service().delete('/api/v0/host/127.0.1.3');
    });
  });
});
