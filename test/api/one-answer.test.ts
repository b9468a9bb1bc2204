// One request has one answer, whenever that goes out and whatever becomes of the rest of the request. Else a proxy with a connection for
// many clients could take the second for that of another request.

import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectTo } from '../harness/http/both-ends.ts';
import { expectGood } from '../harness/http/expect-good.ts';
import { RawConnection } from '../harness/http/raw-connection.ts';
import { readPrometheusText } from '../harness/monitoring/metrics-text.ts';
import { QUICK_HASHER } from '../harness/quick-hasher.ts';
import type { TestService } from '../harness/service.ts';
import { ADMIN_PASSWORD, basic, startTestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService('sqlite', { HOSTLER_HTTP_RECEIVE_TIMEOUT_S: '1' }, QUICK_HASHER);
});
afterAll(() => service.stop());

const AUTH = `Authorization: ${basic(`admin:${ADMIN_PASSWORD}`)}\r\n`;
const WRONG_AUTH = 'Authorization: Basic eDp5\r\n';
const NETWORK = '/api/v0/network/n';
const HALF = 'Content-Length: 1000\r\n\r\n{';
const WHOLE = 'Content-Length: 2\r\n\r\n{}';
const BROKEN = 'Transfer-Encoding: chunked\r\n\r\nZZZ\r\n';
const LAST = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const SENT = 3_000_000;

const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: x\r\n`;

/** How many requests were counted by now, without those that ask for it. */
async function counted(): Promise<number> {
  const { text } = await service.get('/metrics');
  const samples =
    readPrometheusText(text).get('hostler_http_requests_total')?.samples ?? new Map<string, number>();
  const others = [...samples].filter(([key]) => !key.includes('"/metrics"'));
  return others.reduce((sum, [, value]) => sum + value, 0);
}

test.each([
  ['half a body without credentials', head('PUT', NETWORK) + HALF, [401]],
  ['half a body with wrong ones', head('PUT', NETWORK) + WRONG_AUTH + HALF, [401]],
  ['half a body that is waited for', head('PUT', NETWORK) + AUTH + HALF, [408]],
  ['half a body that nobody wants', head('GET', '/healthz') + HALF, [200]],
  ['half a body for what is not there', head('PUT', '/api/v0/nowhere') + AUTH + HALF, [404]],
  ['half a body for the dashboard', head('POST', '/') + HALF, [405]],
  ['half of one that is too large', `${head('PUT', NETWORK)}${AUTH}Content-Length: 9000000\r\n\r\n{`, [413]],
  ['half a body, and no more is said', `${head('PUT', NETWORK)}Content-Length: 1\r\n\r\n`, [401]],
  ['a broken body without credentials', head('PUT', NETWORK) + BROKEN, [400]],
  ['a broken body with wrong ones', head('PUT', NETWORK) + WRONG_AUTH + BROKEN, [400]],
  ['a broken body that nobody wants', head('GET', '/healthz') + BROKEN, [200]],
  ['a whole one, and another', head('PUT', NETWORK) + WHOLE + LAST, [401, 200]],
  ['a whole one, and half a head', head('PUT', NETWORK) + WHOLE + head('GET', '/'), [401, 408]],
])('%s', async (_what, bytes, statuses) => {
  const before = await counted();
  const connection = new RawConnection(service.url);
  connection.write(bytes);
  const answers = await connection.answers();
  for (const answer of answers) expectGood(answer);
  expect(answers.map(({ status }) => status)).toEqual(statuses);
  expect(answers.at(-1)?.headers.get('connection')).toBe('close');
  expect((await counted()) - before).toBe(statuses.length);
});

test('who is refused in the middle of sending can go on to its end, and reads why; what follows is not done', async () => {
  const { port } = new URL(service.url);
  const client = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
  const problems: Error[] = [];
  client.on('error', error => problems.push(error));
  let text = '';
  client.on('data', data => {
    text += data;
  });
  client.write(`${head('PUT', NETWORK)}Content-Length: ${SENT}\r\n\r\n{`);
  await once(client, 'end');
  expect(text).toMatch(/^HTTP\/1\.1 401 [\s\S]*\r\nconnection: close\r\n/i);

  const closed = once(client, 'close');
  const body = '{"type":"none","options":{}}';
  client.write(Buffer.alloc(SENT - 1));
  client.end(`${head('PUT', '/api/v0/network/behind')}${AUTH}Content-Length: ${body.length}\r\n\r\n${body}`);
  await closed;
  expect(problems).toEqual([]);
  expect(text.split('HTTP/1.1 ')).toHaveLength(2);
  expect((await service.get('/api/v0/network/behind')).status).toBe(404);
});

test('who is refused and neither goes on nor closes is cut off', async () => {
  const { client, server } = await connectTo(service.url);
  client.allowHalfOpen = true;
  client.resume();
  client.write(head('PUT', NETWORK) + HALF);
  await once(client, 'end');
  expect(server.destroyed).toBe(false);
  await once(server, 'close');
  client.destroy();
});
