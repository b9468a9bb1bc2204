// What takes a while: streams on which nothing happens, and those that nobody reads.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { OpenStream } from '../harness/events/open-stream.ts';
import { LARGE_BYTES, openUnread, tellMuch } from '../harness/events/unread-stream.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, basic, startTestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const halfRequest = `PUT /api/v0/network/n HTTP/1.1\r\nHost: x\r\nAuthorization: ${basic(`admin:${ADMIN_PASSWORD}`)}\r\n`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService('sqlite', {
    HOSTLER_EVENT_HEARTBEAT_S: '1',
    HOSTLER_HTTP_IDLE_TIMEOUT_S: '1',
    HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '1',
  });
});
afterAll(() => service.stop());

test('a stream on which nothing happens shows that it lives, and is not cut off', async () => {
  const stream = await OpenStream.open(`${service.url}/api/v0/events`);
  await until('signs of life', () => (stream.text.match(/^:$/gm)?.length ?? 0) >= 4);
  expect(stream.isEnded).toBe(false);
  stream.close();
});

test('a stream whose signs of life are further apart than the limit of idleness is not cut off', async () => {
  const quiet = await startTestService('sqlite', { HOSTLER_HTTP_IDLE_TIMEOUT_S: '1' });
  const stream = await OpenStream.open(`${quiet.url}/api/v0/events`);
  const idle = new RawConnection(quiet.url);
  idle.write(`${halfRequest}Content-Length: 2\r\n\r\n{`);
  await until('one who is as idle, and may not be, is cut off', () => idle.isClosed);
  expect(stream.isEnded).toBe(false);
  await quiet.put('/api/v0/network/n', { type: 'none', options: {} });
  await stream.has('network.created');
  stream.close();
  await quiet.stop();
});

test('a reader who does not read is cut off when nothing moves for a while', async () => {
  const { client, server } = await openUnread(service);
  await tellMuch(service, LARGE_BYTES);
  await until('it is given', () => server.writableLength > 0);
  await until('it is cut off', () => server.destroyed);
  client.destroy();
});
