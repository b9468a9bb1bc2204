// Who reads events is looked after for as long as it reads, and no longer.

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import { OpenStream } from '../harness/events/open-stream.ts';
import { EVENTS_REQUEST, LARGE_BYTES, openUnread, tellMuch } from '../harness/events/unread-stream.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const MOST_READERS = 4;
const MOST_OF_ACCOUNT = 3;

let service: TestService;
beforeAll(async () => {
  service = await startTestService('sqlite', {
    HOSTLER_LIMIT_EVENT_SUBSCRIBERS: String(MOST_READERS),
    HOSTLER_LIMIT_EVENT_SUBSCRIBERS_PER_ACCOUNT: String(MOST_OF_ACCOUNT),
    HOSTLER_LIMIT_EVENT_BUFFER_BYTES: '65536',
  });
});
afterAll(() => service.stop());

const streams: OpenStream[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  // That somebody is gone is noticed a moment later.
  await until('there is room', async () => (await service.request('HEAD', '/api/v0/events')).status === 200);
});
async function open(as?: string): Promise<OpenStream> {
  const stream = await OpenStream.open(`${service.url}/api/v0/events`, as === undefined ? {} : { as });
  streams.push(stream);
  return stream;
}

test('more readers than may be are refused, of one account first, and there is room again when one leaves', async () => {
  const other = await service.makeAccount('other', 'viewer');
  const refused = async (as?: string) => {
    const { status, headers, body } = await service.get<Problem>('/api/v0/events', as ? { as } : {});
    return [status, headers.get('retry-after'), body.code, /this account/.test(body.detail)];
  };
  for (let count = 0; count < MOST_OF_ACCOUNT; count += 1) await open();
  expect(await refused()).toEqual([503, '10', 'too_many_event_subscribers', true]);
  for (let count = MOST_OF_ACCOUNT; count < MOST_READERS; count += 1) await open(other);
  expect(await refused(other)).toEqual([503, '10', 'too_many_event_subscribers', false]);
  streams[0]?.close();
  await until('there is room', async () => (await open()).response.ok);
});

test('a reader who does not read is cut off when too much waits for it, and others go on', async () => {
  const { client, server } = await openUnread(service);
  const reader = await open();
  await until('it is cut off', async () => {
    await tellMuch(service, 1_000_000);
    return server.destroyed;
  });
  expect(server.bytesWritten).toBeLessThan(LARGE_BYTES);
  expect(reader.isEnded).toBe(false);
  client.destroy();
});

test('a request with a body is refused: the rest of it might never come', async () => {
  const connection = new RawConnection(service.url);
  connection.write(`${EVENTS_REQUEST}Content-Length: 2\r\n\r\n{`);
  expect((await connection.answer())?.status).toBe(400);
  connection.close();
});

test('all streams end at once when the server stops, whether they are read or not', async () => {
  const stopped = await startTestService('sqlite');
  const { client, server } = await openUnread(stopped);
  await tellMuch(stopped, LARGE_BYTES);
  await until('it is given', () => server.writableLength > 0);
  const stream = await OpenStream.open(`${stopped.url}/api/v0/events`);
  await stream.has('retry');
  const startedAt = performance.now();
  await stopped.stop();
  expect(performance.now() - startedAt).toBeLessThan(5000);
  await stream.ended();
  expect(server.destroyed).toBe(true);
  client.destroy();
});
