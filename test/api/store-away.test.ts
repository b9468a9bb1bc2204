import { expect, inject, test } from 'vitest';
import { startProxy } from '../harness/proxy.ts';
import { startTestService } from '../harness/service.ts';
import { describePostgres, makeStorePlace } from '../harness/stores.ts';

describePostgres('a PostgreSQL that goes away', () => {
  test('is answered by 503 and Retry-After, and served again when it is back', async () => {
    const folder = new URL(inject('postgresUrl')).searchParams.get('host') ?? '';
    const proxy = await startProxy(`${folder}/.s.PGSQL.5432`);
    const place = await makeStorePlace('postgres');
    const location = `postgres://hostler@127.0.0.1:${proxy.port}${new URL(place.location).pathname}`;
    const service = await startTestService('postgres', { HOSTLER_STORE: location });
    expect((await service.get('/readyz', { as: null })).status).toBe(200);

    await proxy.cut();
    for (const path of ['/readyz', '/api/v0/hosts', '/api/v0/cluster/c']) {
      const { status, headers, body } = await service.get(path);
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '5']);
      expect(body).toMatchObject({ code: 'store_unavailable' });
    }
    expect(await service.refusal(service.put('/api/v0/cluster/c', { network: 'default' }))).toBe(
      '503 store_unavailable',
    );
    expect((await service.get('/healthz', { as: null })).status).toBe(200);

    await proxy.mend();
    await expect
      .poll(async () => (await service.get('/readyz', { as: null })).status, { timeout: 10_000 })
      .toBe(200);
    expect((await service.put('/api/v0/cluster/c', { network: 'default' })).status).toBe(201);
    await service.stop();
    await proxy.cut();
    await place.remove();
  });
});
