import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { StreamEvent } from '../../src/sdk/event-stream.ts';
import { streamEvents } from '../../src/sdk/event-stream.ts';
import { OpenStream } from '../harness/events/open-stream.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, startTestService } from '../harness/service.ts';
import { onEachStore } from '../harness/stores/on-each-store.ts';
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

/** The newest event there is. */
async function newestId(service: TestService): Promise<number> {
  const { body } = await service.get<{ id: number }[]>('/api/v0/audit?limit=1');
  return body[0]?.id ?? 0;
}

onEachStore('events', service => {
  const makeNetwork = (name: string) => service().put(`/api/v0/network/${name}`, NETWORK);
  const subjectless = ({ id: _, at: __, ...message }: Record<string, unknown>) => message;

  test('come as messages with a number and these fields, after a greeting', async () => {
    const from = await newestId(service());
    const stream = await open(service(), `?after=${from}`);
    await stream.has('retry: 2000\n: stream open\n\n');
    expect(stream.response.status).toBe(200);
    expect(Object.fromEntries(stream.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    await service().put('/api/v0/cluster/made', { network: 'default' });
    const text = await stream.has('cluster.created');
    const [message = {}] = stream.messages;
    expect(message).toEqual({
      id: from + 1,
      type: 'cluster.created',
      at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}$/),
      cluster: 'made',
      host: null,
      operation: null,
      data: { network: 'default', container_manager: '' },
    });
    expect(text.split('\n\n')[1]).toBe(`id: ${from + 1}\ndata: ${JSON.stringify(message)}`);
  });

  test.each([
    ['0: from the beginning', '?after=0', undefined, 1],
    ['a number: from the one after it', '?after=2', undefined, 3],
    ['a number in the header: from the one after it', '', '1', 2],
    ['both: the header counts', '?after=3', '1', 2],
  ])('begin where it is asked, %s', async (_what, query, header, first) => {
    for (const name of ['b-1', 'b-2', 'b-3']) await makeNetwork(name);
    const last = await newestId(service());
    const headers: Record<string, string> = header === undefined ? {} : { 'last-event-id': header };
    const stream = await open(service(), query, { headers });
    await stream.has(`id: ${last}\n`);
    const ids = stream.messages.map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index));
  });

  test('begin now when nothing is asked', async () => {
    await makeNetwork('before');
    const before = await newestId(service());
    await service().get('/api/v0/networks');
    const stream = await open(service());
    const position = Number(stream.response.headers.get('hostler-event'));
    await makeNetwork('after');
    await stream.has(`id: ${before + 1}\n`);
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
  ])('are refused with %s', async query => {
    expect(await service().refusal(service().get(`/api/v0/events?${query}`))).toBe('400 invalid_query');
  });

  test.each(['x', '-1', '1.5', '', '99999999999999999'])('are refused with Last-Event-ID: %s', async id => {
    const request = service().get('/api/v0/events', { headers: { 'last-event-id': id } });
    expect(await service().refusal(request)).toBe('400 invalid_header');
  });

  test('that are not there are told by a reset, and it goes on from the end', async () => {
    const stream = await open(service(), '?after=1000000');
    await stream.has('event: reset\n');
    const position = Number(stream.messages[0]?.['position']);
    expect(stream.text).toContain(
      `event: reset\nid: ${position}\ndata: {"type":"reset","after":1000000,"position":${position}}\n\n`,
    );
    await makeNetwork('after-reset');
    await stream.has(`id: ${position + 1}\n`);
  });

  test('about accounts are for those who manage them', async () => {
    const viewer = await service().makeAccount('looks-on', 'viewer');
    const stream = await open(service(), '?after=0', { as: viewer });
    await makeNetwork('seen-by-all');
    await stream.has(`id: ${await newestId(service())}\n`);
    expect(stream.messages.filter(({ type }) => String(type).startsWith('account.'))).toEqual([]);
  });

  test('are filtered by cluster and host, whose address may be written in any form', async () => {
    await service().put('/api/v0/cluster/filtered', { network: 'default' });
    await service().makeHosts('active', 'filtered', '::1', '127.9.0.1');
    await makeNetwork('unfiltered');
    const [ofCluster, ofHost] = [
      await open(service(), '?after=0&cluster=filtered'),
      await open(service(), '?after=0&host=0:0:0:0:0:0:0:1'),
    ];
    await service().delete('/api/v0/host/::1');
    await ofHost.has('host.removed');
    await service().put('/api/v0/host/127.9.0.1/maintenance', { on: true });
    // How it was before may never have been looked at.
    await ofCluster.has('"to":"failed"');
    expect(ofHost.messages.map(subjectless)).toMatchObject([
      { type: 'host.created', cluster: 'filtered', host: '::1' },
      { type: 'host.removed', cluster: 'filtered', host: '::1' },
    ]);
    expect(new Set(ofCluster.messages.map(({ cluster }) => cluster))).toEqual(new Set(['filtered']));
    const types = ofCluster.messages.map(({ type }) => type);
    expect(types).toEqual(expect.arrayContaining(['host.removed', 'cluster.status']));
  });

  test('end when the account gets another password, and go on with that', async () => {
    const first = await service().makeAccount('changes', 'viewer');
    await newestId(service());
    const stream = await open(service(), '', { as: first });
    await service().put('/api/v0/user/changes/password', { password: 'later' });
    await stream.ended();
    await open(service(), '', { as: 'changes:later' });
  });

  test('go on when somebody else fails to log in to the account', async () => {
    await newestId(service());
    const stream = await open(service());
    const { status } = await service().get('/api/v0/networks', { as: 'admin:wrong' });
    expect(status).toBe(401);
    await stream.has('account.login_failed');
    await makeNetwork('after-the-failure');
    await stream.has('network.created');
  });

  test('are not sent for HEAD', async () => {
    const { status, headers, text } = await service().request('HEAD', '/api/v0/events');
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/event-stream', '']);
    expect(headers.get('content-length')).toBeNull();
  });

  test('may be followed from what a read says without missing anything', async () => {
    const { headers } = await service().get('/api/v0/networks');
    const position = Number(headers.get('hostler-event'));
    await makeNetwork('right-after');
    const stream = await open(service(), `?after=${position}`);
    await stream.has(`id: ${await newestId(service())}\n`);
    expect(stream.messages.map(({ id }) => id)).toContain(await newestId(service()));
  });

  test.each([
    ['a record', 'GET', '/api/v0/network/default', undefined, true],
    ['a record that is not there', 'GET', '/api/v0/network/nowhere', undefined, true],
    ['a head', 'HEAD', '/api/v0/hosts', undefined, true],
    ['a change', 'PUT', '/api/v0/network/default', undefined, false],
    ['no credentials', 'GET', '/api/v0/hosts', null, false],
    ['what anyone may read', 'GET', '/healthz', null, false],
  ])('have a position that reads tell: %s', async (_what, method, path, who, isTold) => {
    const { headers } = await service().request(method, path, who === null ? { as: null } : {});
    expect(/^\d+$/.test(headers.get('hostler-event') ?? '')).toBe(isTold);
  });
});

describePostgres('events of two servers on one PostgreSQL', () => {
  let services: [TestService, TestService];
  beforeAll(async () => {
    const key = { HOSTLER_SECRET_KEY: randomBytes(32).toString('base64') };
    const first = await startTestService('postgres', key);
    services = [first, await startTestService('postgres', { ...key, HOSTLER_STORE: first.place.location })];
  });
  afterAll(async () => {
    for (const service of [...services].reverse()) await service.stop();
  });

  test('are read on the one when they are made on the other', async () => {
    const [one, other] = services;
    const stream = await open(other);
    await one.put('/api/v0/network/there', NETWORK);
    await stream.has('"type":"network.created"');
  });

  test('are told once each, in order, to a reader who changes servers all the time', async () => {
    const from = await newestId(services[0]);
    const seen: number[] = [];
    for (let made = 0; made < 20; made += 1) {
      const { url } = services[made % 2 === 0 ? 0 : 1];
      const events = streamEvents({ ...as, baseUrls: [url], query: { after: seen.at(-1) ?? from } });
      await services[made % 3 === 0 ? 0 : 1].put(`/api/v0/network/n-${made}`, NETWORK);
      for await (const event of events) {
        seen.push(idOf(event));
        break;
      }
    }
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => from + 1 + index));
  });

  test('end also on the other server when the account is removed', async () => {
    const [one, other] = services;
    const viewer = await one.makeAccount('short', 'viewer');
    await newestId(other);
    const stream = await open(other, '', { as: viewer });
    await stream.has('retry');
    await one.delete('/api/v0/user/short');
    await stream.ended();
  });

  test('go on on another server when one stops, by the client that follows them', async () => {
    const [other, one] = services;
    const over = new AbortController();
    const events = streamEvents({
      ...as,
      baseUrls: [one.url, other.url],
      signal: over.signal,
      reconnectDelayMs: 10,
    });
    const first = events.next();
    await other.put('/api/v0/network/first', NETWORK);
    const id = idOf((await first).value);
    const second = events.next();
    await one.stop();
    await other.put('/api/v0/network/second', NETWORK);
    expect(idOf((await second).value)).toBe(id + 1);
    over.abort();
    expect((await events.next()).done).toBe(true);
  });
});
