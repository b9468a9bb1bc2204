import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import type { ProxiedPlace } from '../harness/stores/proxied-postgres.ts';
import { proxiedPostgres } from '../harness/stores/proxied-postgres.ts';
import { describePostgres } from '../harness/stores/stores.ts';

/** Until there is a connection, and until something was answered on it. */
const NO_LONGER_THAN_MS = 12_000;

describePostgres('a PostgreSQL that goes away', () => {
  let proxied: ProxiedPlace;
  let service: TestService;
  const cluster = (name: string) => service.put(`/api/v0/cluster/${name}`, { network: 'default' });
  const isReady = async () => (await service.get('/readyz', { as: null })).status === 200;
  const untilReady = () => expect.poll(isReady, { timeout: 10_000 }).toBe(true);

  async function expectUnavailable(path: string) {
    const { status, headers, body } = await service.get(path);
    expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '5']);
    expect(body).toMatchObject({ code: 'store_unavailable' });
  }

  beforeAll(async () => {
    proxied = await proxiedPostgres();
    service = await startTestService('postgres', { HOSTLER_STORE: proxied.through });
  });
  afterAll(async () => {
    await service.stop();
    await proxied.remove();
  });

  test('is answered by 503 and Retry-After, and served again when it is back', async () => {
    expect(await isReady()).toBe(true);
    await proxied.proxy.cut();
    for (const path of ['/readyz', '/api/v0/hosts', '/api/v0/cluster/c']) await expectUnavailable(path);
    expect(await service.refusal(cluster('c'))).toBe('503 store_unavailable');
    expect((await service.get('/healthz', { as: null })).status).toBe(200);

    await proxied.proxy.mend();
    await untilReady();
    expect((await cluster('c')).status).toBe(201);
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
    ]);
    expect(performance.now() - askedAtMs).toBeLessThan(NO_LONGER_THAN_MS);
    expect((await service.get('/healthz', { as: null })).status).toBe(200);

    proxied.proxy.thaw();
    await untilReady();
    const { body } = await service.get('/api/v0/clusters');
    expect(body).toEqual(expect.arrayContaining(['c', 'meets-the-cut', 'e', 'f']));
  });
});
