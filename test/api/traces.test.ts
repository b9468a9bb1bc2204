// Traces from a request to the last command on a host: the real service with pretend hosts, and a collector on loopback.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRIVATE_KEY } from '../harness/keys.ts';
import { pathTo, TraceReceiver } from '../harness/monitoring/trace-receiver.ts';
import { needlesOf, seedOfPem } from '../harness/needles.ts';
import { ADMIN_PASSWORD, startTestService } from '../harness/service.ts';
import { makeCluster, newFleet } from '../harness/simulated-service.ts';
import { until } from '../harness/until.ts';

const TOKEN = 'a-token-of-the-collector';
const HOSTS = ['127.0.0.1', '127.0.0.2'];
const RESTART = 'PUT /api/v0/cluster/{name}/restart';
const CREDENTIALS = 'PUT /api/v0/host/{address}/creds';

/** Of callers that trace themselves. */
const TRACES: Readonly<Record<string, string>> = Object.fromEntries(
  ['account', 'scrape', 'probe', 'stranger'].map((name, index) => [name, String(index + 1).repeat(32)]),
);

/** The attributes in the first cells of the tables of the guide. */
const ATTRIBUTES = [
  ...readFileSync(new URL('../../docs/admin/tracing.md', import.meta.url), 'utf8').matchAll(
    /^\| (`[a-z._]+`(?:, `[a-z._]+`)*) \|/gm,
  ),
].flatMap(([, cell = '']) => cell.replaceAll('`', '').split(', '));

describe('traces', () => {
  let receiver: TraceReceiver;
  /** What the request for the restart was answered. */
  let requestId: string | null;

  /** All requests are made first: the spans arrive at the latest when the service stops. */
  beforeAll(async () => {
    receiver = await TraceReceiver.start();
    const fleet = newFleet();
    const settings = {
      HOSTLER_TRACE_ENDPOINT: receiver.url,
      HOSTLER_TRACE_HEADERS: `authorization=Bearer ${TOKEN}, x-tenant=us`,
    };
    const service = await startTestService('sqlite', settings, { transport: fleet.transport });
    try {
      await makeCluster(service, fleet, 'c', Object.fromEntries(HOSTS.map(host => [host, {}])));
      await service.put('/api/v0/host/127.0.0.1/creds', { ssh_priv_key: PRIVATE_KEY });
      const { headers } = await service.put('/api/v0/cluster/c/restart', {
        policy: { min_healthy_s: 0, max_unavailable: 2 },
      });
      requestId = headers.get('x-request-id');
      const traceHeader = (name: string) => ({ traceparent: `00-${TRACES[name]}-b7ad6b7169203331-01` });
      await service.get('/api/v0/clusters', { headers: traceHeader('account') });
      await service.get('/metrics', { headers: traceHeader('scrape') });
      await service.get('/healthz', { as: null, headers: traceHeader('probe') });
      for (const as of [null, 'nobody:whatever'])
        await service.put('/api/v0/cluster/c/restart', {}, { as, headers: traceHeader('stranger') });
      await until('the restart is finished', async () => {
        const { body } = await service.get<{ status: string }>(headers.get('location') ?? '');
        return body.status === 'finished';
      });
    } finally {
      await service.stop();
    }
  });
  afterAll(() => receiver.stop());

  test('a restart is one trace, which begins with the request', () => {
    const trace = receiver.traceOf(RESTART);
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

  test('a caller that was let in can have its own trace; strangers, probes and scrapes make no spans', () => {
    const counted = Object.entries(TRACES).map(([name, traceId]) => [
      name,
      receiver.spans.filter(span => span.traceId === traceId).length,
    ]);
    expect(Object.fromEntries(counted)).toEqual({ account: 1, scrape: 0, probe: 0, stranger: 0 });
  });

  test.each(HOSTS)('its leaves are what was done on %s, to the last command', host => {
    const trace = receiver.traceOf(RESTART);
    const leaves = trace.filter(({ spanId }) => !trace.some(({ parentId }) => parentId === spanId));
    const onHost = leaves.filter(({ attributes }) => attributes['server.address'] === host);
    const [last] = onHost.toSorted((one, other) => other.endMs - one.endMs);
    expect(onHost.map(leaf => pathTo(leaf, trace))).toEqual(
      expect.arrayContaining([
        `${RESTART} > task stage > step preflight > connect`,
        `${RESTART} > task stage > step preflight > run id`,
        `${RESTART} > task rollout > step reboot > run sh`,
        `${RESTART} > task rollout > step verify > run sh`,
      ]),
    );
    expect(last && pathTo(last, trace)).toBe(`${RESTART} > task rollout > step verify > run sh`);
    expect(last?.attributes).toMatchObject({ 'process.executable.name': 'sh', 'process.exit.code': 0 });
  });

  test('what is waited for lies within the time of what waits for it', () => {
    const trace = receiver.traceOf(RESTART);
    for (const span of trace.filter(({ name }) => /^(step|run|connect)/.test(name))) {
      const parent = trace.find(({ spanId }) => spanId === span.parentId);
      expect(parent?.beginMs).toBeLessThanOrEqual(span.beginMs);
      expect(parent?.endMs).toBeGreaterThanOrEqual(span.endMs);
    }
  });

  test('the bootstrap of a host is in the trace of its enrolment', () => {
    const trace = receiver.traceOf('PUT /api/v0/host/{address}');
    expect(trace.map(span => pathTo(span, trace))).toEqual(
      expect.arrayContaining([
        'PUT /api/v0/host/{address} > task bootstrap > step wait_for_ssh > connect',
        'PUT /api/v0/host/{address} > task bootstrap > step gather_facts > run sh',
      ]),
    );
  });

  test('credentials that are tried on a host are tried in the trace of their request', () => {
    const trace = receiver.traceOf(CREDENTIALS);
    expect(trace.map(span => pathTo(span, trace))).toEqual(
      expect.arrayContaining([`${CREDENTIALS} > connect`, `${CREDENTIALS} > run id`]),
    );
  });

  test('its headers are sent, and no secret is in what is sent', () => {
    expect(receiver.headers[0]).toMatchObject({ authorization: `Bearer ${TOKEN}`, 'x-tenant': 'us' });
    const secrets = [
      ...needlesOf('private key', seedOfPem(Buffer.from(PRIVATE_KEY, 'base64').toString())),
      ...needlesOf('password', Buffer.from(ADMIN_PASSWORD)),
      ...needlesOf('token', Buffer.from(TOKEN)),
    ];
    const sent = Buffer.from(receiver.bodies.join('\n'));
    expect(secrets.filter(({ bytes }) => sent.includes(bytes)).map(({ name }) => name)).toEqual([]);
  });

  test('nothing is told of a span but these: no arguments, no output, no names of accounts', () => {
    const words = new Set(receiver.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...words].filter(word => !ATTRIBUTES.includes(word))).toEqual([]);
  });
});
