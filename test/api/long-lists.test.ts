// Lists that are read and sent in parts: nothing is missing, nothing comes twice, and nothing of two moments.

import { beforeAll, expect, test, vi } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { newHost } from '../../src/domain/hosts/host.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { connectTo } from '../harness/http/both-ends.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import { ADMIN_PASSWORD, basic } from '../harness/service.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';

const HOSTS = 2600;
const addressOf = (index: number) => `127.1.${Math.floor(index / 250)}.${index % 250}` as Address;
const all = Array.from({ length: HOSTS }, (_, index) => addressOf(index));
const ONE = toRecordName('one');

onEachStore('a long list', service => {
  beforeAll(async () => {
    await service().put('/api/v0/cluster/one', { network: 'default' });
    await service().store.transaction(async records => {
      await records.clusters.lock(ONE);
      for (const address of all) {
        await records.hosts.insertOrLock(newHost(address, { enrolment: 'e', cluster: ONE }));
      }
    });
  });

  const hosts = async (query = '') =>
    (await service().get<{ address: string }[]>(`/api/v0/hosts${query}`)).body;

  test('of hosts is whole, and in order', async () => {
    expect((await hosts()).map(({ address }) => address)).toEqual(all);
  });

  test('of members is whole, and in order', async () => {
    expect((await service().get('/api/v0/cluster/one/hosts')).body).toEqual(all);
  });

  test('begins where it is asked to, and has no next page', async () => {
    const { body, headers } = await service().get<unknown[]>(`/api/v0/hosts?after=${addressOf(99)}`);
    expect([body.length, headers.get('link')]).toEqual([HOSTS - 100, null]);
  });

  test('is followed from page to page as well', async () => {
    const found: string[] = [];
    for (let query = '?limit=700'; ; ) {
      const { body, headers } = await service().get<{ address: string }[]>(`/api/v0/hosts${query}`);
      found.push(...body.map(({ address }) => address));
      const next = /^<\/api\/v0\/hosts(\?[^>]+)>/.exec(headers.get('link') ?? '')?.[1];
      if (next === undefined) break;
      query = next;
    }
    expect(found).toEqual(all);
  });

  test('has a page that is read in more than one part, and a link to the next', async () => {
    const { body, headers } = await service().get<{ address: string }[]>('/api/v0/hosts?limit=1500');
    expect(body.map(({ address }) => address)).toEqual(all.slice(0, 1500));
    expect(headers.get('link')).toContain(`after=${addressOf(1499)}`);
  });

  test('answers HEAD as GET does, without a body', async () => {
    const { status, text } = await service().request('HEAD', '/api/v0/hosts');
    expect([status, text]).toEqual([200, '']);
  });

  test('ends with the connection for HTTP/1.0, which knows no chunks', async () => {
    const connection = new RawConnection(service().url);
    const authorization = `Authorization: ${basic(`admin:${ADMIN_PASSWORD}`)}`;
    connection.write(`GET /api/v0/cluster/one/hosts HTTP/1.0\r\nHost: x\r\n${authorization}\r\n\r\n`);
    const answer = await connection.answer();
    expect(JSON.parse(String(answer?.body))).toEqual(all);
    expect(connection.isClosed).toBe(true);
  });

  test('is of one moment, whatever changes while it is read', async () => {
    let isDone = false;
    const changing = (async () => {
      for (let round = 0; !isDone && round < 200; round += 1) {
        const status = round % 2 === 0 ? 'failed' : 'active';
        await service().store.transaction(records => records.hosts.setStatus(all, status));
      }
    })();
    const mixtures: string[][] = [];
    for (let count = 0; count < 10; count += 1) {
      const statuses = (await service().get<{ status: string }[]>('/api/v0/hosts')).body.map(
        host => host.status,
      );
      mixtures.push([...new Set(statuses)]);
    }
    isDone = true;
    await changing;
    expect(mixtures.filter(statuses => statuses.length !== 1)).toEqual([]);
  });

  test('is made for one request of a connection after the other, and not before somebody reads', async () => {
    const snapshots = vi.spyOn(service().store, 'snapshot');
    const { client, server } = await connectTo(service().url);
    client.pause();
    const request = `GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(`admin:${ADMIN_PASSWORD}`)}\r\n\r\n`;
    client.write(request.repeat(300));
    const flood = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200_000);
    client.write(flood);
    let [made, isSteady] = [-1, 0];
    while (isSteady < 20) {
      await hosts('?limit=1');
      isSteady = snapshots.mock.calls.length === made ? isSteady + 1 : 0;
      made = snapshots.mock.calls.length;
    }
    // As many as the system's buffers take.
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(100);
    expect(server.bytesRead).toBeLessThan(500_000);
    client.destroy();
    snapshots.mockRestore();
  });

  test('does not keep others waiting', async () => {
    const lists = Array.from({ length: 8 }, () => hosts());
    const order: string[] = [];
    const watched = lists.map(list => list.then(() => order.push('list')));
    await service().get('/healthz', { as: null });
    order.push('health');
    await Promise.all(watched);
    expect(order.indexOf('health')).toBeLessThan(order.lastIndexOf('list'));
  });
});
