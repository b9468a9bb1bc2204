// Notifications about new step output, from simulated hosts to HTTP clients, in real time.

import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { streamEvents } from '../../src/sdk/event-stream.ts';
import { getOperationId } from '../../src/sdk/response-headers.ts';
import { createActiveCluster } from '../harness/active-cluster.ts';
import { ADMIN_PASSWORD } from '../harness/credentials.ts';
import { OpenStream } from '../harness/events/event-streams.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { addHosts, createFleet } from '../harness/simulated-fleet.ts';
import { describePostgres } from '../harness/stores/stores.ts';
import { waitUntil } from '../harness/wait-until.ts';

const streams: OpenStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function open(service: TestService, query: string, as?: string): Promise<OpenStream> {
  const stream = await OpenStream.open(`${service.url}/api/v0/events${query}`, as === undefined ? {} : { as });
  streams.push(stream);
  await stream.waitFor('stream open');
  return stream;
}

/** Starts an upgrade that produces output. Returns the operation ID. */
async function upgrade({ put }: TestService, cluster: string): Promise<string> {
  return getOperationId(await put(`/api/v0/cluster/${cluster}/upgrade`, { policy: { min_healthy_s: 0 } }));
}

const notifiedHosts = (stream: OpenStream) =>
  new Set(stream.messages.flatMap(({ type, hosts }) => (type === 'output' ? hosts : [])));

describe('output notifications', () => {
  const fleet = createFleet();
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', {}, { transport: fleet.transport });
    await createActiveCluster(service.client, 'web', addHosts(fleet, ['127.9.0.1', '127.9.0.2']));
  });
  afterAll(() => service.stop());

  test('are sent on request to every role, filtered, and after the output is stored', async () => {
    const viewer = await service.makeAccount('observer', 'viewer');
    const all = await open(service, '?output=true', viewer);
    const withoutOutput = [await open(service, ''), await open(service, '?output=false')];
    const hostStream = await open(service, '?output=true&host=127.9.0.2');
    const otherClusterStream = await open(service, '?output=true&cluster=other');
    const id = await upgrade(service, 'web');
    const operationStream = await open(service, `?output=true&operation=${id}`);
    await all.waitFor('event: output\n');
    const [address = ''] = notifiedHosts(all);
    const { body } = await service.get(`/api/v0/operation/${id}/hosts/${address}`);
    expect(body).toMatchObject({
      output: expect.arrayContaining([expect.objectContaining({ output: expect.stringMatching(/./) })]),
    });
    await waitUntil(
      'notifications for both hosts',
      () => notifiedHosts(all).size === 2 && notifiedHosts(hostStream).size === 1,
    );
    await waitUntil('notifications for the operation', () => notifiedHosts(operationStream).size > 0);
    await service.put('/api/v0/cluster/other', { network: 'default' });
    for (const stream of [...withoutOutput, otherClusterStream]) await stream.waitFor('cluster.created');
    const notification = all.text.split('\n\n').find(message => message.startsWith('event: output'));
    expect(notification).toMatch(
      new RegExp(`^event: output\\ndata: {"type":"output","operation":"${id}","hosts":\\["[^\\]]+"\\]}$`),
    );
    expect([...notifiedHosts(hostStream)]).toEqual(['127.9.0.2']);
    for (const stream of [...withoutOutput, otherClusterStream]) expect(stream.text).not.toContain('output');
  });

  test.each(['x', '1', ''])('rejects output=%s', async value => {
    const error = service.errorCode(service.get(`/api/v0/events?output=${value}`));
    expect(await error).toBe('400 invalid_query');
  });
});

describePostgres('output notifications of two servers on one PostgreSQL', () => {
  const fleet = createFleet();
  let services: [TestService, TestService];
  beforeAll(async () => {
    const key = { HOSTLER_SECRET_KEY: randomBytes(32).toString('base64') };
    const first = await startTestService('postgres', key, { transport: fleet.transport });
    services = [first, await startTestService('postgres', { ...key, HOSTLER_STORE: first.database.location })];
  });
  afterAll(async () => {
    for (const service of [...services].reverse()) await service.stop();
  });

  test('are received on one server when the other server has saved the output', async () => {
    const [writer, reader] = services;
    await createActiveCluster(writer.client, 'web', addHosts(fleet, ['127.9.1.1', '127.9.1.2']));
    const abort = new AbortController();
    const live = Promise.withResolvers<void>();
    const events = streamEvents({
      ...{ user: 'admin', password: ADMIN_PASSWORD, baseUrls: [reader.url], signal: abort.signal },
      query: { output: true, cluster: 'web' },
      onState: state => state === 'live' && live.resolve(),
    });
    const first = events.next();
    await live.promise;
    const id = await upgrade(writer, 'web');
    let event = await first;
    while (!event.done && event.value.type !== 'output') event = await events.next();
    expect(event.value).toEqual({
      type: 'output',
      operation: id,
      hosts: expect.arrayContaining([expect.stringMatching(/^127\.9\.1\.[12]$/)]),
    });
    abort.abort();
    await events.next();
  });
});
