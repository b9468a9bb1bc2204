import { fastify } from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { routes } from '../contract/index.ts';
import type { RouteDefinition } from '../contract/route-definition.ts';
import type { Actor } from '../domain/accounts/account.ts';
import type { LogLevel } from '../lib/log.ts';
import type { SpanEnd, SpanStart } from '../lib/tracer.ts';
import { logRequests, traceRequests } from './observability.ts';

/** Returns the log lines of one request. */
async function logLinesOf(url: string, level: LogLevel = 'info', headers: Record<string, string> = {}) {
  const lines: string[] = [];
  const log = pino({ level, base: null, timestamp: false }, { write: line => lines.push(line) });
  const server = fastify({ genReqId: () => 'id-1', trustProxy: true });
  server.decorateRequest('actor', undefined);
  server.addHook('onRequest', (request, _reply, done) => {
    if (headers['x-account'] !== undefined) Object.assign(request, { actor: { account: headers['x-account'] } });
    if (headers['x-gone'] !== undefined) Object.assign(request.raw.socket, { remoteAddress: undefined });
    if (headers['traceparent'] !== undefined) Object.assign(request, { span: { context: headers['traceparent'] } });
    done();
  });
  logRequests(server, log);
  server.get('/*', async () => 'x');
  await server.inject({ method: 'GET', url, headers });
  await server.close();
  return lines.map(line => JSON.parse(line));
}

test('logRequests writes one JSON line per request', async () => {
  expect(await logLinesOf('/x')).toEqual([
    {
      level: 30,
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
  ['a query', '/x?q=secret', {}, { path: '/x' }],
  ['characters that JSON escapes', '/%22%5C', {}, { path: '/%22%5C' }],
  ['quotes in an account name', '/x', { 'x-account': 'a"b' }, { account: 'a"b' }],
  ['a client that disconnected', '/x', { 'x-gone': 'yes' }, { address: '' }],
  ['quotes in an address', '/x', { 'x-forwarded-for': '"\\' }, { address: '"\\' }],
])('logRequests writes a valid line without secrets for %s', async (_case, url, headers, expected) => {
  const [line] = await logLinesOf(url, 'info', headers);
  expect(line).toMatchObject(expected);
  expect(JSON.stringify(line)).not.toContain('secret');
});

test('logRequests adds the trace ID of a traced request', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  expect(await logLinesOf('/x', 'info', { traceparent })).toMatchObject([
    { traceId: '0af7651916cd43dd8448eb211c80319c' },
  ]);
});

test('logRequests writes nothing if the log level is higher', async () => {
  expect(await logLinesOf('/x', 'warn')).toEqual([]);
});

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const ACTOR: Actor = { account: 'ann', role: 'viewer', address: '127.0.0.1', requestId: 'id-1' };

const withRoute = (route: RouteDefinition) => ({ config: { route } });

/** Trace context of the actor in the last PUT request. */
let actorTrace: string | undefined;

/** Returns the spans of one request. */
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
    throw new Error('failure');
  });
  server.get('/events', withRoute(routes.streamEvents), async () => 'x');
  server.get('/metrics', withRoute(routes.getMetrics), async () => 'x');
  server.get('/healthz', withRoute(routes.getLiveness), async () => 'x');
  server.get('/file', async () => 'x');
  await server.inject({ method, url, headers });
  await server.close();
  return spans;
}

test('traceRequests creates a span with the route template and the response status', async () => {
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

test('traceRequests marks the span of a failed request', async () => {
  expect(await traceRequest('GET', '/broken')).toMatchObject([{ end: { errorType: '500' } }]);
});

test('traceRequests uses the span of the client as parent', async () => {
  expect(await traceRequest('GET', '/list', { headers: { traceparent: CALLER } })).toMatchObject([{ parent: CALLER }]);
});

test.each([
  ['does not trace a read', 'GET', '/list', {}, 0],
  ['traces a read that its client traces', 'GET', '/list', { traceparent: CALLER }, 1],
  ['traces a change', 'PUT', '/one', {}, 1],
] as const)('traceRequests with a read sample ratio of 0: %s', async (_case, method, url, headers, count) => {
  expect(await traceRequest(method, url, { readSampleRatio: 0, headers })).toHaveLength(count);
});

test.each([
  ['an event stream', '/events'],
  ['a scrape of /metrics', '/metrics'],
  ['a dashboard file', '/file'],
  ['an unknown path', '/nothing'],
])('traceRequests does not trace %s', async (_case, url) => {
  expect(await traceRequest('GET', url)).toEqual([]);
});

test.each([
  ['a change', 'PUT', '/one'],
  ['a read', 'GET', '/list'],
  ['a request to a public route', 'GET', '/healthz'],
] as const)(
  'traceRequests does not trace %s of an unauthenticated client, even with a traceparent header',
  async (_case, method, url) => {
    expect(await traceRequest(method, url, { isAuthenticated: false, headers: { traceparent: CALLER } })).toEqual([]);
  },
);

test('traceRequests starts the span when the request arrives, before authentication', async () => {
  const [span] = await traceRequest('GET', '/list', { loginMs: 20 });
  expect(span?.startedMsAgo).toBeGreaterThanOrEqual(19);
});
