// Slow tests of idle and unread event streams.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD, basic } from '../harness/credentials.ts';
import { LARGE_BYTES, OpenStream, openStalledStream, publishLargeEvent } from '../harness/events/event-streams.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { waitUntil } from '../harness/wait-until.ts';

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

test('an idle event stream sends heartbeats and stays open', async () => {
  const stream = await OpenStream.open(`${service.url}/api/v0/events`);
  await waitUntil('four heartbeats', () => (stream.text.match(/^:$/gm)?.length ?? 0) >= 4);
  expect(stream.isEnded).toBe(false);
  stream.close();
});

test('an event stream stays open if its heartbeat interval exceeds http_idle_timeout_s', async () => {
  const otherService = await startTestService('sqlite', { HOSTLER_HTTP_IDLE_TIMEOUT_S: '1' });
  const stream = await OpenStream.open(`${otherService.url}/api/v0/events`);
  const idle = new RawConnection(otherService.url);
  idle.write(`${halfRequest}Content-Length: 2\r\n\r\n{`);
  await waitUntil('the idle request is closed', () => idle.isClosed);
  expect(stream.isEnded).toBe(false);
  await otherService.put('/api/v0/network/n', { type: 'none', options: {} });
  await stream.waitFor('network.created');
  stream.close();
  await otherService.stop();
});

test('the server closes a stream that is not read for a while', async () => {
  const { client, server } = await openStalledStream(service);
  await publishLargeEvent(service, LARGE_BYTES);
  await waitUntil('the server has written', () => server.writableLength > 0);
  await waitUntil('the connection is closed', () => server.destroyed);
  client.destroy();
});
