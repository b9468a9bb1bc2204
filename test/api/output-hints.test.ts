// Hints that steps have said more, from pretend hosts to those who read them over HTTP, in real time.

import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { streamEvents } from '../../src/sdk/event-stream.ts';
import { OpenStream } from '../harness/events/open-stream.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, startTestService } from '../harness/service.ts';
import { makeCluster, newFleet } from '../harness/simulated-service.ts';
import { describePostgres } from '../harness/stores/stores.ts';
import { until } from '../harness/until.ts';

const streams: OpenStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

async function open(service: TestService, query: string, as?: string): Promise<OpenStream> {
  const stream = await OpenStream.open(
    `${service.url}/api/v0/events${query}`,
    as === undefined ? {} : { as },
  );
  streams.push(stream);
  await stream.has('stream open');
  return stream;
}

/** Upgrades all hosts of a cluster, which say what they do. Answers the id of the operation. */
async function upgrade({ put }: TestService, cluster: string): Promise<string> {
  const { headers } = await put(`/api/v0/cluster/${cluster}/upgrade`, { policy: { min_healthy_s: 0 } });
  return headers.get('location')?.split('/').at(-1) ?? '';
}

const hostsIn = (stream: OpenStream) =>
  new Set(stream.messages.flatMap(({ type, hosts }) => (type === 'output' ? hosts : [])));

describe('hints of output', () => {
  const fleet = newFleet();
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite', {}, { transport: fleet.transport });
    await makeCluster(service, fleet, 'web', { '127.9.0.1': {}, '127.9.0.2': {} });
  });
  afterAll(() => service.stop());

  test('are told to who asks for them, in every role and as far as it is wanted, when the output can be read', async () => {
    const viewer = await service.makeAccount('looks-on', 'viewer');
    const all = await open(service, '?output=true', viewer);
    const unasked = [await open(service, ''), await open(service, '?output=false')];
    const ofHost = await open(service, '?output=true&host=127.9.0.2');
    const ofOther = await open(service, '?output=true&cluster=other');
    const id = await upgrade(service, 'web');
    const ofOperation = await open(service, `?output=true&operation=${id}`);
    await all.has('event: output\n');
    const [address = ''] = hostsIn(all);
    const { body } = await service.get(`/api/v0/operation/${id}/hosts/${address}`);
    expect(body).toMatchObject({
      output: expect.arrayContaining([expect.objectContaining({ output: expect.stringMatching(/./) })]),
    });
    await until('hints of both hosts', () => hostsIn(all).size === 2 && hostsIn(ofHost).size === 1);
    await until('hints of the operation', () => hostsIn(ofOperation).size > 0);
    await service.put('/api/v0/cluster/other', { network: 'default' });
    for (const stream of [...unasked, ofOther]) await stream.has('cluster.created');
    const hint = all.text.split('\n\n').find(message => message.startsWith('event: output'));
    expect(hint).toMatch(
      new RegExp(`^event: output\\ndata: {"type":"output","operation":"${id}","hosts":\\["[^\\]]+"\\]}$`),
    );
    expect([...hostsIn(ofHost)]).toEqual(['127.9.0.2']);
    for (const stream of [...unasked, ofOther]) expect(stream.text).not.toContain('output');
  });

  test.each(['x', '1', ''])('are not told for output=%s: it is refused', async value => {
    const refusal = service.refusal(service.get(`/api/v0/events?output=${value}`));
    expect(await refusal).toBe('400 invalid_query');
  });
});

describePostgres('hints of output of two servers on one PostgreSQL', () => {
  const fleet = newFleet();
  let services: [TestService, TestService];
  beforeAll(async () => {
    const key = { HOSTLER_SECRET_KEY: randomBytes(32).toString('base64') };
    const first = await startTestService('postgres', key, { transport: fleet.transport });
    services = [first, await startTestService('postgres', { ...key, HOSTLER_STORE: first.place.location })];
  });
  afterAll(async () => {
    for (const service of [...services].reverse()) await service.stop();
  });

  test('are read on the one when the other has saved it, by the client that follows events', async () => {
    const [saving, reading] = services;
    await makeCluster(saving, fleet, 'web', { '127.9.1.1': {}, '127.9.1.2': {} });
    const over = new AbortController();
    const live = Promise.withResolvers<void>();
    const events = streamEvents({
      ...{ user: 'admin', password: ADMIN_PASSWORD, baseUrls: [reading.url], signal: over.signal },
      query: { output: true, cluster: 'web' },
      onState: state => state === 'live' && live.resolve(),
    });
    const first = events.next();
    await live.promise;
    const id = await upgrade(saving, 'web');
    let event = await first;
    while (!event.done && event.value.type !== 'output') event = await events.next();
    expect(event.value).toEqual({
      type: 'output',
      operation: id,
      hosts: expect.arrayContaining([expect.stringMatching(/^127\.9\.1\.[12]$/)]),
    });
    over.abort();
    await events.next();
  });
});
