import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getValue, parsePrometheusText } from '../harness/monitoring/metrics-text.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import type { ProxiedPostgres } from '../harness/stores/proxied-postgres.ts';
import { proxiedPostgres } from '../harness/stores/proxied-postgres.ts';
import { describePostgres } from '../harness/stores/stores.ts';

/** Connect timeout plus query timeout is 12 seconds; the rest is for a busy machine. */
const MAX_RESPONSE_MS = 30_000;
/** The default of Prometheus. */
const SCRAPE_TIMEOUT_MS = 10_000;

describePostgres('PostgreSQL outage', () => {
  let proxied: ProxiedPostgres;
  let service: TestService;
  /** Warnings and errors of the log. */
  const lines: Record<string, unknown>[] = [];
  const cluster = (name: string) => service.put(`/api/v0/cluster/${name}`, { network: 'default' });
  const isReady = async () => (await service.get('/readyz', { as: null })).status === 200;
  const waitUntilReady = () => expect.poll(isReady, { timeout: 10_000 }).toBe(true);

  async function expectUnavailable(path: string) {
    const { status, headers, body } = await service.get(path);
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '5']);
    expect(body).toMatchObject({ code: 'store_unavailable' });
  }

  /** A client that authenticated before gets the metrics of the server, without those of the store. */
  async function expectMetricsOfServer() {
    const { status, text } = await service.get('/metrics');
    expect(status).toBe(200);
    const metrics = parsePrometheusText(text);
    expect(getValue(metrics, 'hostler_store_up')).toBe(0);
    expect(metrics.get('hostler_hosts')?.samples.size).toBe(0);
    const failed = 'hostler_http_requests_total{method="GET",route="/api/v0/hosts",code="503"}';
    expect(getValue(metrics, failed)).toBeGreaterThan(0);
  }

  beforeAll(async () => {
    proxied = await proxiedPostgres();
    const log = pino({ level: 'warn', base: null }, { write: line => lines.push(JSON.parse(line)) });
    service = await startTestService('postgres', { HOSTLER_STORE: proxied.proxiedLocation }, { log });
  });
  afterAll(async () => {
    await service.stop();
    await proxied.remove();
  });

  test('returns 503 with Retry-After and recovers when PostgreSQL is back', async () => {
    expect(await isReady()).toBe(true);
    expect((await service.get('/metrics')).status).toBe(200);
    await proxied.proxy.cut();
    for (const path of ['/readyz', '/api/v0/hosts', '/api/v0/cluster/c']) await expectUnavailable(path);
    expect(await service.errorCode(cluster('c'))).toBe('503 store_unavailable');
    await expectMetricsOfServer();
    expect((await service.get('/metrics', { as: 'admin:a guess' })).status).toBe(503);
    expect((await service.get('/metrics')).status).toBe(503);
    expect((await service.get('/healthz', { as: null })).status).toBe(200);
    // One log line for all failures.
    expect(lines.map(({ msg, problem }) => [msg, problem])).toEqual([
      ['store unavailable; retrying', expect.any(String)],
    ]);

    await proxied.proxy.restore();
    await waitUntilReady();
    expect((await cluster('c')).status).toBe(201);
    expect((await service.get('/metrics')).text).toContain('hostler_store_up 1\n');
  });

  test('a short outage does not fail requests', async () => {
    const { proxy } = proxied;
    const cut = proxy.cutAt('interrupted', 'unsent').then(() => proxy.cut());
    const requests = Promise.all(['interrupted', 'e', 'f'].map(cluster));
    await cut;
    await proxy.restore();
    expect((await requests).map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  test('returns 503 while connections to PostgreSQL stall and keeps every acknowledged change', async () => {
    proxied.proxy.stall('all');
    const startedAtMs = performance.now();
    await Promise.all([
      ...['/readyz', '/api/v0/hosts', '/api/v0/cluster/c'].map(expectUnavailable),
      expect(service.errorCode(cluster('g'))).resolves.toBe('503 store_unavailable'),
      expectMetricsOfServer().then(() => expect(performance.now() - startedAtMs).toBeLessThan(SCRAPE_TIMEOUT_MS)),
    ]);
    expect(performance.now() - startedAtMs).toBeLessThan(MAX_RESPONSE_MS);
    expect((await service.get('/healthz', { as: null })).status).toBe(200);

    await proxied.proxy.restore();
    await waitUntilReady();
    const { body } = await service.get('/api/v0/clusters');
    expect(body).toEqual(expect.arrayContaining(['c', 'interrupted', 'e', 'f']));
    expect(lines.filter(line => 'err' in line)).toEqual([]);
  });
});
