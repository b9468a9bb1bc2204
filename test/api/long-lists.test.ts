// The server reads and sends long lists in chunks. They must be complete, without duplicates, and a
// consistent snapshot.

import { beforeAll, expect, test, vi } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { newHost } from '../../src/domain/hosts/host.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { ADMIN_PASSWORD, basic } from '../harness/credentials.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import { connectSockets } from '../harness/http/sockets.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { insertHosts } from '../harness/stores/insert-rows.ts';
import { LoadLoop } from '../harness/workload/load-loop.ts';

const HOST_COUNT = 2600;
const addressOf = (index: number) => `127.1.${Math.floor(index / 250)}.${index % 250}` as Address;
const all = Array.from({ length: HOST_COUNT }, (_, index) => addressOf(index));
const CLUSTER = toRecordName('one');

describeServer('a list of 2,600 hosts', service => {
  beforeAll(async () => {
    await service().put('/api/v0/cluster/one', { network: 'default' });
    await insertHosts(
      service().database,
      all.map(address => newHost(address, { enrolment: 'e', cluster: CLUSTER })),
    );
  });

  const hosts = async (query = '') => (await service().get<{ address: string }[]>(`/api/v0/hosts${query}`)).body;

  test('contains all hosts in order', async () => {
    expect((await hosts()).map(({ address }) => address)).toEqual(all);
  });

  test('contains all members in order', async () => {
    expect((await service().get('/api/v0/cluster/one/hosts')).body).toEqual(all);
  });

  test('starts after the given host and has no next page', async () => {
    const { body, headers } = await service().get<unknown[]>(`/api/v0/hosts?after=${addressOf(99)}`);
    expect([body.length, headers.get('link')]).toEqual([HOST_COUNT - 100, null]);
  });

  test('can be read page by page', async () => {
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

  test('a page of several chunks links to the next page', async () => {
    const { body, headers } = await service().get<{ address: string }[]>('/api/v0/hosts?limit=1500');
    expect(body.map(({ address }) => address)).toEqual(all.slice(0, 1500));
    expect(headers.get('link')).toContain(`after=${addressOf(1499)}`);
  });

  test('a search finds hosts everywhere in the list, in pages of any size', async () => {
    const found = [addressOf(1), addressOf(1999), addressOf(2000), addressOf(2599)];
    for (const address of found) await service().put(`/api/v0/host/${address}/labels`, { role: 'rare' });
    const search = async (query: string) => {
      const { body, headers } = await service().get<{ address: string }[]>(`/api/v0/hosts?q=rare${query}`);
      return [body.map(({ address }) => address), headers.has('link')];
    };
    expect(await search('')).toEqual([found, false]);
    expect(await search('&limit=1')).toEqual([[addressOf(1)], true]);
    expect(await search('&limit=3')).toEqual([found.slice(0, 3), true]);
    expect(await search(`&limit=1&after=${addressOf(1999)}`)).toEqual([[addressOf(2000)], true]);
    expect(await search('&limit=4')).toEqual([found, false]);
    expect(await search(`&after=${addressOf(2599)}`)).toEqual([[], false]);
  });

  test('HEAD returns no body', async () => {
    const { status, text } = await service().request('HEAD', '/api/v0/hosts');
    expect([status, text]).toEqual([200, '']);
  });

  test('ends with the connection for HTTP/1.0, which has no chunked encoding', async () => {
    const connection = new RawConnection(service().url);
    const authorization = `Authorization: ${basic(`admin:${ADMIN_PASSWORD}`)}`;
    connection.write(`GET /api/v0/cluster/one/hosts HTTP/1.0\r\nHost: x\r\n${authorization}\r\n\r\n`);
    const response = await connection.nextResponse();
    expect(JSON.parse(String(response?.body))).toEqual(all);
    expect(connection.isClosed).toBe(true);
  });

  test('is a consistent snapshot during concurrent changes', async () => {
    const changes = new LoadLoop('host statuses', 0, async round => {
      const status = round % 2 === 0 ? 'failed' : 'active';
      await service().store.transaction(records => records.hosts.setStatus(all, status));
      return [];
    });
    const statusSets: string[][] = [];
    await changes.runDuring(async () => {
      const hasOverlapped = () => changes.completed > 1 || changes.errors.length > 0;
      for (let count = 0; count < 10 || !hasOverlapped(); count += 1) {
        const statuses = (await service().get<{ status: string }[]>('/api/v0/hosts')).body.map(host => host.status);
        statusSets.push([...new Set(statuses)]);
      }
    });
    expect(changes.errors).toEqual([]);
    expect(statusSets.filter(statuses => statuses.length !== 1)).toEqual([]);
  });

  test('pipelined requests on a connection are processed one by one, as fast as the client reads', async () => {
    const snapshots = vi.spyOn(service().store, 'snapshot');
    const { client, server } = await connectSockets(service().url);
    client.pause();
    const request = `GET /api/v0/hosts HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(`admin:${ADMIN_PASSWORD}`)}\r\n\r\n`;
    client.write(request.repeat(300));
    const flood = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200_000);
    client.write(flood);
    let [snapshotCount, stableRounds] = [-1, 0];
    while (stableRounds < 20) {
      await hosts('?limit=1');
      stableRounds = snapshots.mock.calls.length === snapshotCount ? stableRounds + 1 : 0;
      snapshotCount = snapshots.mock.calls.length;
    }
    // As many as the socket buffers hold.
    expect(snapshotCount).toBeGreaterThan(0);
    expect(snapshotCount).toBeLessThan(100);
    expect(server.bytesRead).toBeLessThan(500_000);
    client.destroy();
    snapshots.mockRestore();
  });

  test('does not block other requests', async () => {
    const lists = Array.from({ length: 8 }, () => hosts());
    const order: string[] = [];
    const finished = lists.map(list => list.then(() => order.push('list')));
    await service().get('/healthz', { as: null });
    order.push('health');
    await Promise.all(finished);
    expect(order.indexOf('health')).toBeLessThan(order.lastIndexOf('list'));
  });
});
