// One request must get exactly one response. A proxy that shares a connection between clients would assign a
// second response to another request.

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD, basic } from '../harness/credentials.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import { expectValidResponse } from '../harness/http/raw-requests.ts';
import { connectSockets } from '../harness/http/sockets.ts';
import { parsePrometheusText } from '../harness/monitoring/metrics-text.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService('sqlite', { HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '1' });
});
afterAll(() => service.stop());

const AUTH = `Authorization: ${basic(`admin:${ADMIN_PASSWORD}`)}\r\n`;
const WRONG_AUTH = 'Authorization: Basic eDp5\r\n';
const NETWORK = '/api/v0/network/n';
const INCOMPLETE_BODY = 'Content-Length: 1000\r\n\r\n{';
const COMPLETE_BODY = 'Content-Length: 2\r\n\r\n{}';
const MALFORMED_BODY = 'Transfer-Encoding: chunked\r\n\r\nZZZ\r\n';
const LAST_REQUEST = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const BODY_BYTES = 3_000_000;

const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: x\r\n`;

/** Number of counted requests, without those for the metrics. */
async function countRequests(): Promise<number> {
  const { text } = await service.get('/metrics');
  const samples = parsePrometheusText(text).get('hostler_http_requests_total')?.samples ?? new Map<string, number>();
  const others = [...samples].filter(([key]) => !key.includes('"/metrics"'));
  return others.reduce((sum, [, value]) => sum + value, 0);
}

test.each([
  ['incomplete body without credentials', head('PUT', NETWORK) + INCOMPLETE_BODY, [401]],
  ['incomplete body with wrong credentials', head('PUT', NETWORK) + WRONG_AUTH + INCOMPLETE_BODY, [401]],
  ['incomplete body that the route needs', head('PUT', NETWORK) + AUTH + INCOMPLETE_BODY, [408]],
  ['incomplete body that the route ignores', head('GET', '/healthz') + INCOMPLETE_BODY, [200]],
  ['incomplete body for an unknown path', head('PUT', '/api/v0/nowhere') + AUTH + INCOMPLETE_BODY, [404]],
  ['incomplete body for the dashboard', head('POST', '/') + INCOMPLETE_BODY, [405]],
  ['incomplete body over the limit', `${head('PUT', NETWORK)}${AUTH}Content-Length: 9000000\r\n\r\n{`, [413]],
  ['missing body', `${head('PUT', NETWORK)}Content-Length: 1\r\n\r\n`, [401]],
  ['malformed body without credentials', head('PUT', NETWORK) + MALFORMED_BODY, [400]],
  ['malformed body with wrong credentials', head('PUT', NETWORK) + WRONG_AUTH + MALFORMED_BODY, [400]],
  ['malformed body that the route ignores', head('GET', '/healthz') + MALFORMED_BODY, [200]],
  ['complete request and another request', head('PUT', NETWORK) + COMPLETE_BODY + LAST_REQUEST, [401, 200]],
  ['complete request and incomplete headers', head('PUT', NETWORK) + COMPLETE_BODY + head('GET', '/'), [401, 408]],
])('each request gets one response: %s', async (_case, bytes, statuses) => {
  const before = await countRequests();
  const connection = new RawConnection(service.url);
  connection.write(bytes);
  const responses = await connection.allResponses();
  for (const response of responses) expectValidResponse(response);
  expect(responses.map(({ status }) => status)).toEqual(statuses);
  expect(responses.at(-1)?.headers.get('connection')).toBe('close');
  expect((await countRequests()) - before).toBe(statuses.length);
});

test('a client rejected while sending can finish and read the response; later requests are ignored', async () => {
  const { port } = new URL(service.url);
  const client = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  const problems: Error[] = [];
  client.on('error', error => problems.push(error));
  let text = '';
  client.on('data', data => {
    text += data;
  });
  client.write(`${head('PUT', NETWORK)}Content-Length: ${BODY_BYTES}\r\n\r\n{`);
  await once(client, 'end');
  expect(text).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\nconnection: close\r\n/i);

  const closed = once(client, 'close');
  const body = '{"type":"none","options":{}}';
  client.write(Buffer.alloc(BODY_BYTES - 1));
  client.end(`${head('PUT', '/api/v0/network/behind')}${AUTH}Content-Length: ${body.length}\r\n\r\n${body}`);
  await closed;
  expect(problems).toEqual([]);
  expect(text.split('HTTP/1.1 ')).toHaveLength(2);
  expect((await service.get('/api/v0/network/behind')).status).toBe(404);
});

test('the server closes the connection of a rejected client that stops sending', async () => {
  const { client, server } = await connectSockets(service.url);
  client.allowHalfOpen = true;
  client.resume();
  client.write(head('PUT', NETWORK) + INCOMPLETE_BODY);
  await once(client, 'end');
  expect(server.destroyed).toBe(false);
  await once(server, 'close');
  client.destroy();
});
