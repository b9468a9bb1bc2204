import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPrometheusText, valueIn } from '../harness/monitoring/metrics-text.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import type { ProxiedPlace } from '../harness/stores/proxied-postgres.ts';
import { proxiedPostgres } from '../harness/stores/proxied-postgres.ts';
import { describePostgres } from '../harness/stores/stores.ts';

/** Until there is a connection, and until something was answered on it. */
const NO_LONGER_THAN_MS = 12_000;
/** Of Prometheus, if nothing else is said. */
const SCRAPE_TIMEOUT_MS = 10_000;

describePostgres('a PostgreSQL that goes away', () => {
  let proxied: ProxiedPlace;
  let service: TestService;
  /** What the log has of warnings and worse. */
  const lines: Record<string, unknown>[] = [];
  const cluster = (name: string) => service.put(`/api/v0/cluster/${name}`, { network: 'default' });
  const isReady = async () => (await service.get('/readyz', { as: null })).status === 200;
  const untilReady = () => expect.poll(isReady, { timeout: 10_000 }).toBe(true);

  async function expectUnavailable(path: string) {
    const { status, headers, body } = await service.get(path);
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '5']);
    expect(body).toMatchObject({ code: 'store_unavailable' });
  }

  /** Metrics are told to whoever was let in before: those of the server, and none of the store. */
  async function expectMetricsOfServer() {
    const { status, text } = await service.get('/metrics');
    expect(status).toBe(200);
    const metrics = readPrometheusText(text);
    expect(valueIn(metrics, 'hostler_store_up')).toBe(0);
    expect(metrics.get('hostler_hosts')?.samples.size).toBe(0);
    const failed = 'hostler_http_requests_total{method="GET",route="/api/v0/hosts",code="503"}';
    expect(valueIn(metrics, failed)).toBeGreaterThan(0);
  }

  beforeAll(async () => {
    proxied = await proxiedPostgres();
    const logger = pino({ level: 'warn', base: null }, { write: line => lines.push(JSON.parse(line)) });
    const log = Object.assign(logger, { writeInfo: () => {} });
    service = await startTestService('postgres', { HOSTLER_STORE: proxied.through }, { log });
  });
  afterAll(async () => {
    await service.stop();
    await proxied.remove();
  });

  test('is answered by 503 and Retry-After, and served again when it is back', async () => {
    expect(await isReady()).toBe(true);
    expect((await service.get('/metrics')).status).toBe(200);
    await proxied.proxy.cut();
    for (const path of ['/readyz', '/api/v0/hosts', '/api/v0/cluster/c']) await expectUnavailable(path);
    expect(await service.refusal(cluster('c'))).toBe('503 store_unavailable');
    await expectMetricsOfServer();
    expect((await service.get('/metrics', { as: 'admin:a guess' })).status).toBe(503);
    expect((await service.get('/metrics')).status).toBe(503);
    expect((await service.get('/healthz', { as: null })).status).toBe(200);
    // One line for all that failed meanwhile, here and behind the requests.
    expect(lines.map(({ msg, problem }) => [msg, problem])).toEqual([
      ['store unavailable; retrying', expect.any(String)],
    ]);

    await proxied.proxy.mend();
    await untilReady();
    expect((await cluster('c')).status).toBe(201);
    expect((await service.get('/metrics')).text).toContain('hostler_store_up 1\n');
  });

  test('for a moment only is not noticed by those who ask meanwhile', async () => {
    const { proxy } = proxied;
    const met = proxy.cutAt('meets-the-cut', 'unsent').then(() => proxy.cut());
    const asked = Promise.all(['meets-the-cut', 'e', 'f'].map(cluster));
    await met;
    await proxy.mend();
    expect((await asked).map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  test('and keeps connections without answering is told as soon, and nothing that was acknowledged is missing', async () => {
    proxied.proxy.freeze('all');
    const askedAtMs = performance.now();
    await Promise.all([
      ...['/readyz', '/api/v0/hosts', '/api/v0/cluster/c'].map(expectUnavailable),
      expect(service.refusal(cluster('g'))).resolves.toBe('503 store_unavailable'),
      expectMetricsOfServer().then(() =>
        expect(performance.now() - askedAtMs).toBeLessThan(SCRAPE_TIMEOUT_MS),
      ),
    ]);
    expect(performance.now() - askedAtMs).toBeLessThan(NO_LONGER_THAN_MS);
    expect((await service.get('/healthz', { as: null })).status).toBe(200);

    proxied.proxy.thaw();
    await untilReady();
    const { body } = await service.get('/api/v0/clusters');
    expect(body).toEqual(expect.arrayContaining(['c', 'meets-the-cut', 'e', 'f']));
    expect(lines.filter(line => 'err' in line)).toEqual([]);
  });
});
