import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { routes } from '../../contract/index.ts';
import type { Route } from '../../contract/route.ts';
import type { Actor } from '../../domain/accounts/account.ts';
import type { SpanEnd, SpanStart } from '../../lib/tracer.ts';
import { traceRequests } from './request-spans.ts';

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const ACTOR: Actor = { account: 'ann', role: 'viewer', address: '127.0.0.1', requestId: 'id-1' };

const of = (row: Route) => ({ config: { row } });

/** The trace that what follows from the newest change belongs to. */
let traceOfActor: string | undefined;

/** What is traced of a request. */
async function spansOf(
  method: 'GET' | 'PUT',
  url: string,
  {
    readsShare = 1,
    headers = {},
    isLetIn = true,
    loginMs = 0,
  }: { readsShare?: number; headers?: Record<string, string>; isLetIn?: boolean; loginMs?: number } = {},
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
    if (isLetIn) request.actor = ACTOR;
    const untilMs = performance.now() + loginMs;
    while (performance.now() < untilMs);
    if (isLetIn || request.routeOptions.config.row?.roles === 'anyone') done();
    else void reply.code(401).send();
  });
  traceRequests(server, { tracer, readsShare });
  server.get('/list', of(routes.listClusters), async () => 'x');
  server.put('/one', of(routes.putCluster), async (request, reply) => {
    traceOfActor = request.actor?.trace;
    return reply.code(201).send();
  });
  server.get('/broken', of(routes.getCluster), async () => {
    throw new Error('it broke');
  });
  server.get('/events', of(routes.streamEvents), async () => 'x');
  server.get('/metrics', of(routes.getMetrics), async () => 'x');
  server.get('/healthz', of(routes.getLiveness), async () => 'x');
  server.get('/file', async () => 'x');
  await server.inject({ method, url, headers });
  await server.close();
  return spans;
}

test('a request is a span with the names of its row, and how it was answered', async () => {
  const { method, path } = routes.putCluster;
  expect(await spansOf('PUT', '/one')).toEqual([
    {
      ...{ name: `${method} ${path}`, kind: 'server', under: undefined },
      attributes: { 'http.request.method': method, 'http.route': path, 'hostler.request_id': 'id-1' },
      begunMsAgo: expect.any(Number),
      end: {
        attributes: { 'http.response.status_code': 201, 'hostler.role': 'viewer' },
        problem: undefined,
      },
    },
  ]);
  expect(traceOfActor).toBe(CALLER);
});

test('one that broke says so', async () => {
  expect(await spansOf('GET', '/broken')).toMatchObject([{ end: { problem: '500' } }]);
});

test('it is under that of its caller', async () => {
  expect(await spansOf('GET', '/list', { headers: { traceparent: CALLER } })).toMatchObject([
    { under: CALLER },
  ]);
});

test.each([
  ['a read, of which none are traced', 'GET', '/list', {}, 0],
  ['a read that its caller traces', 'GET', '/list', { traceparent: CALLER }, 1],
  ['a change', 'PUT', '/one', {}, 1],
] as const)('where reads are left out: %s', async (_what, method, url, headers, count) => {
  expect(await spansOf(method, url, { readsShare: 0, headers })).toHaveLength(count);
});

test.each([
  ['a stream of events', '/events'],
  ['a scrape', '/metrics'],
  ['a file of the dashboard', '/file'],
  ['a path that is none', '/nothing'],
])('%s is not traced', async (_what, url) => {
  expect(await spansOf('GET', url)).toEqual([]);
});

test.each([
  ['a change', 'PUT', '/one'],
  ['a read', 'GET', '/list'],
  ['what anyone may ask', 'GET', '/healthz'],
] as const)('%s of a stranger is not traced, whatever its header says', async (_what, method, url) => {
  expect(await spansOf(method, url, { isLetIn: false, headers: { traceparent: CALLER } })).toEqual([]);
});

test('it begins when the request came in, also where the caller took a while to be known', async () => {
  const [span] = await spansOf('GET', '/list', { loginMs: 20 });
  expect(span?.begunMsAgo).toBeGreaterThanOrEqual(19);
});
