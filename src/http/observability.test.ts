import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { routes } from '../contract/index.ts';
import type { RouteDefinition } from '../contract/route-definition.ts';
import type { Actor } from '../domain/accounts/account.ts';
import type { LogLevel } from '../lib/log.ts';
import { createLog } from '../lib/log.ts';
import type { SpanEnd, SpanStart } from '../lib/tracer.ts';
import { logRequests, traceRequests } from './observability.ts';

/** The lines that a request leaves. */
async function logLinesOf(url: string, level: LogLevel = 'info', headers: Record<string, string> = {}) {
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
  expect(await logLinesOf('/x')).toEqual([
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
  const [line] = await logLinesOf(url, 'info', headers);
  expect(line).toMatchObject(expected);
  expect(JSON.stringify(line)).not.toContain('secret');
});

test('a request that is traced names its trace', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(await logLinesOf('/x', 'info', { traceparent })).toMatchObject([
    { traceId: '0af7651916cd43dd8448eb211c80319c' },
  ]);
});

test('there is no line below the level', async () => {
  expect(await logLinesOf('/x', 'warn')).toEqual([]);
});

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const ACTOR: Actor = { account: 'ann', role: 'viewer', address: '127.0.0.1', requestId: 'id-1' };

const withRoute = (route: RouteDefinition) => ({ config: { route } });

/** The trace that what follows from the newest change belongs to. */
let actorTrace: string | undefined;

/** What is traced of a request. */
async function traceRequest(
  method: 'GET' | 'PUT',
  url: string,
  {
    readSampleRatio = 1,
    headers = {},
    isAuthenticated = true,
    loginMs = 0,
  }: {
    readSampleRatio?: number;
    headers?: Record<string, string>;
    isAuthenticated?: boolean;
    loginMs?: number;
  } = {},
) {
  const spans: (Partial<SpanStart> & { end?: SpanEnd | undefined })[] = [];
  const tracer = {
    start: (start: SpanStart) => ({
      context: CALLER,
      end: (end?: SpanEnd) => void spans.push({ ...start, end }),
    }),
  };
  const server = fastify({ genReqId: () => 'id-1' });
  server.decorateRequest('actor', undefined);
  server.addHook('onRequest', (request, reply, done) => {
    if (isAuthenticated) request.actor = ACTOR;
    const untilMs = performance.now() + loginMs;
    while (performance.now() < untilMs);
    if (isAuthenticated || request.routeOptions.config.route?.roles === 'anyone') done();
    else void reply.code(401).send();
  });
  traceRequests(server, { tracer, readSampleRatio });
  server.get('/list', withRoute(routes.listClusters), async () => 'x');
  server.put('/one', withRoute(routes.putCluster), async (request, reply) => {
    actorTrace = request.actor?.trace;
    return reply.code(201).send();
  });
  server.get('/broken', withRoute(routes.getCluster), async () => {
    throw new Error('it broke');
  });
  server.get('/events', withRoute(routes.streamEvents), async () => 'x');
  server.get('/metrics', withRoute(routes.getMetrics), async () => 'x');
  server.get('/healthz', withRoute(routes.getLiveness), async () => 'x');
  server.get('/file', async () => 'x');
  await server.inject({ method, url, headers });
  await server.close();
  return spans;
}

test('a request is a span with the names of its row, and how it was answered', async () => {
  const { method, path } = routes.putCluster;
  expect(await traceRequest('PUT', '/one')).toEqual([
    {
      ...{ name: `${method} ${path}`, kind: 'server', parent: undefined },
      attributes: { 'http.request.method': method, 'http.route': path, 'hostler.request_id': 'id-1' },
      startedMsAgo: expect.any(Number),
      end: {
        attributes: { 'http.response.status_code': 201, 'hostler.role': 'viewer' },
        errorType: undefined,
      },
    },
  ]);
  expect(actorTrace).toBe(CALLER);
});

test('one that broke says so', async () => {
  expect(await traceRequest('GET', '/broken')).toMatchObject([{ end: { errorType: '500' } }]);
});

test('it is under that of its caller', async () => {
  expect(await traceRequest('GET', '/list', { headers: { traceparent: CALLER } })).toMatchObject([
    { parent: CALLER },
  ]);
});

test.each([
  ['a read, of which none are traced', 'GET', '/list', {}, 0],
  ['a read that its caller traces', 'GET', '/list', { traceparent: CALLER }, 1],
  ['a change', 'PUT', '/one', {}, 1],
] as const)('where reads are left out: %s', async (_what, method, url, headers, count) => {
  expect(await traceRequest(method, url, { readSampleRatio: 0, headers })).toHaveLength(count);
});

test.each([
  ['a stream of events', '/events'],
  ['a scrape', '/metrics'],
  ['a file of the dashboard', '/file'],
  ['a path that is none', '/nothing'],
])('%s is not traced', async (_what, url) => {
  expect(await traceRequest('GET', url)).toEqual([]);
});

test.each([
  ['a change', 'PUT', '/one'],
  ['a read', 'GET', '/list'],
  ['what anyone may ask', 'GET', '/healthz'],
] as const)('%s of a stranger is not traced, whatever its header says', async (_what, method, url) => {
  expect(
    await traceRequest(method, url, { isAuthenticated: false, headers: { traceparent: CALLER } }),
  ).toEqual([]);
});

test('it begins when the request came in, also where the caller took a while to be known', async () => {
  const [span] = await traceRequest('GET', '/list', { loginMs: 20 });
  expect(span?.startedMsAgo).toBeGreaterThanOrEqual(19);
});
