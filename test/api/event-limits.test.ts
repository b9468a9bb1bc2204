import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Problem } from '../../src/contract/fields.ts';
import {
  EVENTS_REQUEST,
  LARGE_BYTES,
  OpenStream,
  openStalledStream,
  publishLargeEvent,
} from '../harness/events/event-streams.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';

const MAX_SUBSCRIBERS = 3;
const MAX_SUBSCRIBERS_PER_ACCOUNT = 2;

let service: TestService;
beforeAll(async () => {
  service = await startTestService('sqlite', {
    HOSTLER_LIMIT_EVENT_SUBSCRIBERS: String(MAX_SUBSCRIBERS),
  });
});
afterAll(() => service.stop());

const streams: OpenStream[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  // The server notices a closed stream with a delay.
  await waitUntil(
    'a subscriber slot is free',
    async () => (await service.request('HEAD', '/api/v0/events')).status === 200,
  );
});
async function open(as?: string): Promise<OpenStream> {
  const stream = await OpenStream.open(`${service.url}/api/v0/events`, as === undefined ? {} : { as });
  streams.push(stream);
  return stream;
}

test('the server rejects subscribers over the limits per account and in total, and accepts new ones after a disconnect', async () => {
  const other = await service.makeAccount('other', 'viewer');
  const rejection = async (as?: string) => {
    const { status, headers, body } = await service.get<Problem>('/api/v0/events', as ? { as } : {});
    return [status, headers.get('retry-after'), body.code, /this account/.test(body.detail)];
  };
  for (let count = 0; count < MAX_SUBSCRIBERS_PER_ACCOUNT; count += 1) await open();
  expect(await rejection()).toEqual([503, '10', 'too_many_event_subscribers', true]);
  for (let count = MAX_SUBSCRIBERS_PER_ACCOUNT; count < MAX_SUBSCRIBERS; count += 1) await open(other);
  expect(await rejection(other)).toEqual([503, '10', 'too_many_event_subscribers', false]);
  streams[0]?.close();
  await waitUntil('a subscriber slot is free', async () => (await open()).response.ok);
});

test('the server closes an unread stream when its buffer is full, and keeps other streams open', async () => {
  const { client, server } = await openStalledStream(service);
  const reader = await open();
  await waitUntil('the connection is closed', async () => {
    await publishLargeEvent(service, 100_000);
    return server.destroyed;
  });
  expect(server.bytesWritten).toBeLessThan(LARGE_BYTES);
  expect(reader.isEnded).toBe(false);
  client.destroy();
});

test('the server rejects a request for events with a body, which might never arrive completely', async () => {
  const connection = new RawConnection(service.url);
  connection.write(`${EVENTS_REQUEST}Content-Length: 2\r\n\r\n{`);
  expect((await connection.nextResponse())?.status).toBe(400);
  connection.close();
});

test('all streams end when the server stops, even unread ones', async () => {
  const ownService = await startTestService('sqlite');
  const { client, server } = await openStalledStream(ownService);
  await publishLargeEvent(ownService, LARGE_BYTES);
  await waitUntil('the server has written', () => server.writableLength > 0);
  const stream = await OpenStream.open(`${ownService.url}/api/v0/events`);
  await stream.waitFor('retry');
  const startedAt = performance.now();
  await ownService.stop();
  expect(performance.now() - startedAt).toBeLessThan(5000);
  await stream.waitForEnd();
  expect(server.destroyed).toBe(true);
  client.destroy();
});
