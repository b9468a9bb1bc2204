// Traces from a request to the last command on a host: the real server with simulated hosts and a trace
// collector on loopback.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createActiveCluster } from '../harness/active-cluster.ts';
import { ADMIN_PASSWORD, PRIVATE_KEY } from '../harness/credentials.ts';
import { spanPath, TraceReceiver } from '../harness/monitoring/trace-receiver.ts';
import { extractPemSeed, secretPatterns } from '../harness/secret-patterns.ts';
import { startTestService } from '../harness/service.ts';
import { addHosts, createFleet } from '../harness/simulated-fleet.ts';
import { waitUntil } from '../harness/wait-until.ts';

const TOKEN = 'a-token-of-the-collector';
const HOSTS = ['127.0.0.1', '127.0.0.2'];
const RESTART = 'PUT /api/v0/cluster/{name}/restart';
const CREDENTIALS = 'PUT /api/v0/host/{address}/creds';

/** Trace IDs sent by clients. */
const TRACES: Readonly<Record<string, string>> = Object.fromEntries(
  ['account', 'scrape', 'probe', 'unauthenticated'].map((name, index) => [name, String(index + 1).repeat(32)]),
);

/** The attributes in the first column of the tables of the guide. */
const ATTRIBUTES = [
  ...readFileSync(new URL('../../docs/admin/tracing.md', import.meta.url), 'utf8').matchAll(
    /^\| (`[a-z._]+`(?:, `[a-z._]+`)*) \|/gm,
  ),
].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));

describe('traces', () => {
  let receiver: TraceReceiver;
  /** The request ID of the restart. */
  let requestId: string | null;

  /** All requests are sent first: the spans arrive at the latest when the server stops. */
  beforeAll(async () => {
    receiver = await TraceReceiver.start();
    const fleet = createFleet();
    const settings = {
      HOSTLER_TRACE_ENDPOINT: receiver.url,
      HOSTLER_TRACE_HEADERS: `authorization=Bearer ${TOKEN}, x-tenant=us`,
    };
    const service = await startTestService('sqlite', settings, { transport: fleet.transport });
    try {
      const hosts = addHosts(fleet, HOSTS);
      // Enrolled alone, for the trace of the request.
      await service.put('/api/v0/cluster/c', { network: 'default' });
      await service.put('/api/v0/host/127.0.0.1', { ssh_priv_key: PRIVATE_KEY, cluster: 'c' });
      await createActiveCluster(service.client, 'c', hosts);
      await service.put('/api/v0/host/127.0.0.1/creds', { ssh_priv_key: PRIVATE_KEY });
      const { headers } = await service.put('/api/v0/cluster/c/restart', {
        policy: { min_healthy_s: 0, max_unavailable: 2 },
      });
      requestId = headers.get('x-request-id');
      const traceHeader = (name: string) => ({ traceparent: `00-${TRACES[name]}-b7ad6b7169203331-01` });
      await service.get('/api/v0/clusters', { headers: traceHeader('account') });
      await service.get('/metrics', { headers: traceHeader('scrape') });
      await service.get('/healthz', { as: null, headers: traceHeader('probe') });
      for (const as of [null, 'unknown:password'])
        await service.put('/api/v0/cluster/c/restart', {}, { as, headers: traceHeader('unauthenticated') });
      await waitUntil('the restart is finished', async () => {
        const { body } = await service.get<{ status: string }>(headers.get('location') ?? '');
        return body.status === 'finished';
      });
    } finally {
      await service.stop();
    }
  });
  afterAll(() => receiver.stop());

  test('a restart is one trace that starts with the request', () => {
    const trace = receiver.findTrace(RESTART);
    const roots = trace.filter(({ parentId }) => !trace.some(({ spanId }) => spanId === parentId));
    expect(roots).toMatchObject([
      {
        ...{ name: RESTART, parentId: '', isError: false },
        attributes: {
          'http.request.method': 'PUT',
          'http.route': '/api/v0/cluster/{name}/restart',
          'http.response.status_code': 201,
          'hostler.role': 'admin',
          'hostler.request_id': requestId,
        },
      },
    ]);
  });

  test('only authenticated requests continue the trace of the client; probes and scrapes create no spans', () => {
    const spanCounts = Object.entries(TRACES).map(([name, traceId]) => [
      name,
      receiver.spans.filter(span => span.traceId === traceId).length,
    ]);
    expect(Object.fromEntries(spanCounts)).toEqual({ account: 1, scrape: 0, probe: 0, unauthenticated: 0 });
  });

  test.each(HOSTS)('the leaf spans contain all commands on %s, including the last one', host => {
    const trace = receiver.findTrace(RESTART);
    const leaves = trace.filter(({ spanId }) => !trace.some(({ parentId }) => parentId === spanId));
    const onHost = leaves.filter(({ attributes }) => attributes['server.address'] === host);
    const [last] = onHost.toSorted((one, other) => other.endMs - one.endMs);
    expect(onHost.map(leaf => spanPath(leaf, trace))).toEqual(
      expect.arrayContaining([
        `${RESTART} > task stage > step preflight > connect`,
        `${RESTART} > task stage > step preflight > run id`,
        `${RESTART} > task rollout > step reboot > run sh`,
        `${RESTART} > task rollout > step verify > run sh`,
      ]),
    );
    expect(last && spanPath(last, trace)).toBe(`${RESTART} > task rollout > step verify > run sh`);
    expect(last?.attributes).toMatchObject({ 'process.executable.name': 'sh', 'process.exit.code': 0 });
  });

  test('steps, connections and commands lie within the time of their parent span', () => {
    const trace = receiver.findTrace(RESTART);
    for (const span of trace.filter(({ name }) => /^(step|run|connect)/.test(name))) {
      const parent = trace.find(({ spanId }) => spanId === span.parentId);
      expect(parent?.startMs).toBeLessThanOrEqual(span.startMs);
      expect(parent?.endMs).toBeGreaterThanOrEqual(span.endMs);
    }
  });

  test('the bootstrap of a host belongs to the trace of its enrolment', () => {
    const trace = receiver.findTrace('PUT /api/v0/host/{address}');
    expect(trace.map(span => spanPath(span, trace))).toEqual(
      expect.arrayContaining([
        'PUT /api/v0/host/{address} > task bootstrap > step wait_for_ssh > connect',
        'PUT /api/v0/host/{address} > task bootstrap > step gather_facts > run sh',
      ]),
    );
  });

  test('a test of credentials belongs to the trace of its request', () => {
    const trace = receiver.findTrace(CREDENTIALS);
    expect(trace.map(span => spanPath(span, trace))).toEqual(
      expect.arrayContaining([`${CREDENTIALS} > connect`, `${CREDENTIALS} > run id`]),
    );
  });

  test('the exporter sends the configured headers and no secrets', () => {
    expect(receiver.headers[0]).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-tenant': 'us' });
    const secrets = [
      ...secretPatterns('private key', extractPemSeed(Buffer.from(PRIVATE_KEY, 'base64').toString())),
      ...secretPatterns('password', Buffer.from(ADMIN_PASSWORD)),
      ...secretPatterns('token', Buffer.from(TOKEN)),
    ];
    const exported = Buffer.from(receiver.bodies.join('\n'));
    expect(secrets.filter(({ bytes }) => exported.includes(bytes)).map(({ name }) => name)).toEqual([]);
  });

  test('spans have only documented attributes: no arguments, no output, no account names', () => {
    const names = new Set(receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...names].filter(name => !ATTRIBUTES.includes(name))).toEqual([]);
  });
});
