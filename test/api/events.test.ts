import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { StreamEvent } from '../../src/sdk/event-stream.ts';
import { streamEvents } from '../../src/sdk/event-stream.ts';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import { OpenStream } from '../harness/events/event-streams.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { describeServer } from '../harness/stores/describe-server.ts';
import { describePostgres } from '../harness/stores/stores.ts';

const NETWORK = { type: 'none', options: {} };
const as = { user: 'admin', password: ADMIN_PASSWORD };

const streams: OpenStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function open(
  service: TestService,
  query = '',
  options?: Parameters<typeof OpenStream.open>[1],
): Promise<OpenStream> {
  const stream = await OpenStream.open(`${service.url}/api/v0/events${query}`, options);
  streams.push(stream);
  return stream;
}

const idOf = (event: StreamEvent | undefined): number => (event && 'id' in event ? event.id : Number.NaN);

async function newestId(service: TestService): Promise<number> {
  const { body } = await service.get<{ id: number }[]>('/api/v0/audit?limit=1');
  return body[0]?.id ?? 0;
}

describeServer('events', service => {
  const makeNetwork = (name: string) => service().put(`/api/v0/network/${name}`, NETWORK);
  const withoutIdAndTime = ({ id: _, at: __, ...message }: Record<string, unknown>) => message;

  test('the stream starts with a comment and sends messages with ID and fields', async () => {
    const startId = await newestId(service());
    const stream = await open(service(), `?after=${startId}`);
    await stream.waitFor('retry: 2000\n: stream open\n\n');
    expect(stream.response.status).toBe(200);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    await service().put('/api/v0/cluster/made', { network: 'default' });
    const text = await stream.waitFor('cluster.created');
    const [message = {}] = stream.messages;
    expect(message).toEqual({
      id: startId + 1,
      type: 'cluster.created',
      at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/),
      cluster: 'made',
      host: null,
      operation: null,
      data: { network: 'default', container_manager: '' },
    });
    expect(text.split('\n\n')[1]).toBe(`id: ${startId + 1}\ndata: ${JSON.stringify(message)}`);
  });

  test.each([
    ['the first event for after=0', '?after=0', undefined, 1],
    ['the event after ?after', '?after=2', undefined, 3],
    ['the event after Last-Event-ID', '', '1', 2],
    ['the event after Last-Event-ID if both are present', '?after=3', '1', 2],
  ])('the stream starts at %s', async (_case, query, header, first) => {
    for (const name of ['b-1', 'b-2', 'b-3']) await makeNetwork(name);
    const last = await newestId(service());
    const headers: Record<string, string> = header === undefined ? {} : { 'last-event-id': header };
    const stream = await open(service(), query, { headers });
    await stream.waitFor(`id: ${last}\n`);
    const ids = stream.messages.map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index));
  });

  test('the stream starts at the current position by default', async () => {
    await makeNetwork('before');
    const before = await newestId(service());
    await service().get('/api/v0/networks');
    const stream = await open(service());
    const position = Number(stream.response.headers.get('hostler-event'));
    await makeNetwork('after');
    await stream.waitFor(`id: ${before + 1}\n`);
    expect(stream.messages.map(({ id }) => id)).toEqual(
      Array.from({ length: before + 1 - position }, (_, index) => position + 1 + index),
    );
  });

  test.each([
    'after=x',
    'after=-1',
    'after=1.5',
    'after=99999999999999999',
    'host=web',
    'cluster=a%20b',
    'operation=!',
  ])('rejects the query %s', async query => {
    expect(await service().errorCode(service().get(`/api/v0/events?${query}`))).toBe('400 invalid_query');
  });

  test.each(['x', '-1', '1.5', '', '99999999999999999'])('rejects Last-Event-ID: %s', async id => {
    const request = service().get('/api/v0/events', { headers: { 'last-event-id': id } });
    expect(await service().errorCode(request)).toBe('400 invalid_header');
  });

  test('sends a reset for an unknown position and continues at the end', async () => {
    const stream = await open(service(), '?after=1000000');
    await stream.waitFor('event: reset\n');
    const position = Number(stream.messages[0]?.['position']);
    expect(stream.text).toContain(
      `event: reset\nid: ${position}\ndata: {"type":"reset","after":1000000,"position":${position}}\n\n`,
    );
    await makeNetwork('after-reset');
    await stream.waitFor(`id: ${position + 1}\n`);
  });

  test('only accounts that manage accounts receive account events', async () => {
    const viewer = await service().makeAccount('observer', 'viewer');
    const stream = await open(service(), '?after=0', { as: viewer });
    await makeNetwork('seen-by-all');
    await stream.waitFor(`id: ${await newestId(service())}\n`);
    expect(stream.messages.filter(({ type }) => String(type).startsWith('account.'))).toEqual([]);
  });

  test('filters by cluster and by host in any address notation', async () => {
    await service().put('/api/v0/cluster/filtered', { network: 'default' });
    await service().makeHosts('active', 'filtered', '::1', '127.9.0.1');
    await makeNetwork('unfiltered');
    const [clusterStream, hostStream] = [
      await open(service(), '?after=0&cluster=filtered'),
      await open(service(), '?after=0&host=0:0:0:0:0:0:0:1'),
    ];
    await service().delete('/api/v0/host/::1');
    await hostStream.waitFor('host.removed');
    await service().put('/api/v0/host/127.9.0.1/maintenance', { on: true });
    // The server may never have evaluated the previous cluster status.
    await clusterStream.waitFor('"to":"failed"');
    expect(hostStream.messages.map(withoutIdAndTime)).toMatchObject([
      { type: 'host.created', cluster: 'filtered', host: '::1' },
      { type: 'host.removed', cluster: 'filtered', host: '::1' },
    ]);
    expect(new Set(clusterStream.messages.map(({ cluster }) => cluster))).toEqual(new Set(['filtered']));
    const types = clusterStream.messages.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['host.removed', 'cluster.status']));
  });

  test('a stream ends when the password of its account changes', async () => {
    const first = await service().makeAccount('changes', 'viewer');
    await newestId(service());
    const stream = await open(service(), '', { as: first });
    await service().put('/api/v0/user/changes/password', { password: 'later' });
    await stream.waitForEnd();
    await open(service(), '', { as: 'changes:later' });
  });

  test('a stream stays open when another client fails to log in to its account', async () => {
    await newestId(service());
    const stream = await open(service());
    const { status } = await service().get('/api/v0/networks', { as: 'admin:wrong' });
    expect(status).toBe(401);
    await stream.waitFor('account.login_failed');
    await makeNetwork('after-the-failure');
    await stream.waitFor('network.created');
  });

  test('HEAD returns no events', async () => {
    const { status, headers, text } = await service().request('HEAD', '/api/v0/events');
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/event-stream', '']);
    expect(headers.get('content-length')).toBeNull();
  });

  test('a stream that starts at the position of a read misses nothing', async () => {
    const { headers } = await service().get('/api/v0/networks');
    const position = Number(headers.get('hostler-event'));
    await makeNetwork('right-after');
    const stream = await open(service(), `?after=${position}`);
    await stream.waitFor(`id: ${await newestId(service())}\n`);
    expect(stream.messages.map(({ id }) => id)).toContain(await newestId(service()));
  });

  test.each([
    ['a record', 'GET', '/api/v0/network/default', undefined, true],
    ['a missing record', 'GET', '/api/v0/network/nowhere', undefined, true],
    ['a HEAD request', 'HEAD', '/api/v0/hosts', undefined, true],
    ['a change', 'PUT', '/api/v0/network/default', undefined, false],
    ['a request without credentials', 'GET', '/api/v0/hosts', null, false],
    ['a public route', 'GET', '/healthz', null, false],
  ])('the Hostler-Event header is sent for %s: $4', async (_case, method, path, user, isPresent) => {
    const { headers } = await service().request(method, path, user === null ? { as: null } : {});
    expect(/^\d+$/.test(headers.get('hostler-event') ?? '')).toBe(isPresent);
  });
});

describePostgres('events of two servers on one PostgreSQL', () => {
  let services: [TestService, TestService];
  beforeAll(async () => {
    const key = { HOSTLER_SECRET_KEY: randomBytes(32).toString('base64') };
    const first = await startTestService('postgres', key);
    services = [first, await startTestService('postgres', { ...key, HOSTLER_STORE: first.database.location })];
  });
  afterAll(async () => {
    for (const service of [...services].reverse()) await service.stop();
  });

  test('a stream on one server receives events of the other server', async () => {
    const [firstServer, secondServer] = services;
    const stream = await open(secondServer);
    await firstServer.put('/api/v0/network/there', NETWORK);
    await stream.waitFor('"type":"network.created"');
  });

  test('a client that alternates between servers receives each event once and in order', async () => {
    const startId = await newestId(services[0]);
    const seen: number[] = [];
    for (let count = 0; count < 20; count += 1) {
      const { url } = services[count % 2 === 0 ? 0 : 1];
      const events = streamEvents({ ...as, baseUrls: [url], query: { after: seen.at(-1) ?? startId } });
      await services[count % 3 === 0 ? 0 : 1].put(`/api/v0/network/n-${count}`, NETWORK);
      for await (const event of events) {
        seen.push(idOf(event));
        break;
      }
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => startId + 1 + index));
  });

  test('a stream ends when the other server removes its account', async () => {
    const [firstServer, secondServer] = services;
    const viewer = await firstServer.makeAccount('short', 'viewer');
    await newestId(secondServer);
    const stream = await open(secondServer, '', { as: viewer });
    await stream.waitFor('retry');
    await firstServer.delete('/api/v0/user/short');
    await stream.waitForEnd();
  });

  test('streamEvents continues on the other server when one server stops', async () => {
    const [secondServer, firstServer] = services;
    const abort = new AbortController();
    const events = streamEvents({
      ...as,
      baseUrls: [firstServer.url, secondServer.url],
      signal: abort.signal,
      reconnectDelayMs: 10,
    });
    const first = events.next();
    await secondServer.put('/api/v0/network/first', NETWORK);
    const id = idOf((await first).value);
    const second = events.next();
    await firstServer.stop();
    await secondServer.put('/api/v0/network/second', NETWORK);
    expect(idOf((await second).value)).toBe(id + 1);
    abort.abort();
    expect((await events.next()).done).toBe(true);
  });
});
