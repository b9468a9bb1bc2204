import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import type { LogLevel } from '../../lib/log.ts';
import { createLog } from '../../lib/log.ts';
import { logRequests } from './request-log.ts';

/** The lines that a request leaves. */
async function linesOf(url: string, level: LogLevel = 'info', headers: Record<string, string> = {}) {
  const lines: string[] = [];
  const log = Object.assign(createLog(level, false), {
    writeInfo: (fields: string) => void lines.push(`{${fields}}`),
  });
  const server = fastify({ genReqId: () => 'id-1', trustProxy: true });
  server.decorateRequest('actor', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    if (headers['x-account'] !== undefined)
      Object.assign(request, { actor: { account: headers['x-account'] } });
    if (headers['x-gone'] !== undefined) Object.assign(request.raw.socket, { remoteAddress: undefined });
    if (headers['traceparent'] !== undefined)
      Object.assign(request, { span: { context: headers['traceparent'] } });
    done();
  });
  logRequests(server, log);
  server.get('/*', async () => 'x');
  await server.inject({ method: 'GET', url, headers });
  await server.close();
  return lines.map(line => JSON.parse(line));
}

test('a request is one line of JSON', async () => {
  expect(await linesOf('/x')).toEqual([
    {
      requestId: 'id-1',
      method: 'GET',
      path: '/x',
      status: 200,
      address: '127.0.0.1',
      ms: expect.any(Number),
      msg: 'request',
    },
  ]);
});

test.each([
  ['the query', '/x?q=secret', {}, { path: '/x' }],
  ['signs that JSON escapes', '/%22%5C', {}, { path: '/%22%5C' }],
  ['quotes in an account', '/x', { 'x-account': 'a"b' }, { account: 'a"b' }],
  ['a caller that has gone', '/x', { 'x-gone': 'yes' }, { address: '' }],
  ['quotes in an address', '/x', { 'x-forwarded-for': '"\\' }, { address: '"\\' }],
])('a line stays whole and says no more than it should with %s', async (_what, url, headers, expected) => {
  const [line] = await linesOf(url, 'info', headers);
  expect(line).toMatchObject(expected);
  expect(JSON.stringify(line)).not.toContain('secret');
});

test('a request that is traced names its trace', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(await linesOf('/x', 'info', { traceparent })).toMatchObject([
    { traceId: '0af7651916cd43dd8448eb211c80319c' },
  ]);
});

test('there is no line below the level', async () => {
  expect(await linesOf('/x', 'warn')).toEqual([]);
});
