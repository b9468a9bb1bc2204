import { expect, test } from 'vitest';
import type { PasswordHasher } from '../../src/app/auth/password-hasher.ts';
import type { Problem } from '../../src/contract/fields.ts';
import { QUICK_HASHER } from '../harness/quick-hasher.ts';
import { ADMIN_PASSWORD, basic, startTestService } from '../harness/service.ts';
import { freePort } from '../harness/ssh/sshd.ts';
import { describeStores, makeStorePlace, runSql } from '../harness/stores/stores.ts';
import { until } from '../harness/until.ts';

describeStores(
  kind => `a store on ${kind} that is older than the service, or new`,
  kind => {
    test('makes it not ready, until the schema is up to date and there is an account', async () => {
      const place = await makeStorePlace(kind);
      const service = await startTestService(kind, {
        HOSTLER_DATA: place.folder,
        HOSTLER_STORE: place.location,
      });
      const ready = () => service.get<Problem>('/readyz', { as: null });
      expect((await ready()).status).toBe(200);

      await runSql(
        place,
        'create table aside as select * from kysely_migration; delete from kysely_migration',
      );
      const { status, headers, body } = await ready();
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'store_unavailable', '5']);
      expect(body.detail).toMatch(/schema .* is older than this version/);
      expect((await service.get('/healthz', { as: null })).status).toBe(200);

      await runSql(place, 'insert into kysely_migration select * from aside');
      expect((await ready()).status).toBe(200);

      // As it is between listening and the first account.
      await runSql(place, 'delete from accounts');
      const early = await ready();
      expect([early.status, early.body.code, early.headers.get('retry-after')]).toEqual([
        503,
        'starting',
        '1',
      ]);
      await service.stop();
      await place.remove();
    });
  },
);

test('before the first account exists, a right password is answered by 503, and counts afterwards', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  let hashes = 0;
  const hasher: PasswordHasher = {
    ...QUICK_HASHER.hasher,
    // The first hash is for passwords of unknown accounts, the second for the first account.
    hash: async password => {
      hashes += 1;
      if (hashes === 2) await isReleased;
      return QUICK_HASHER.hasher.hash(password);
    },
  };
  const listen = `127.0.0.1:${await freePort()}`;
  const starting = startTestService('sqlite', { HOSTLER_LISTEN: listen }, { hasher });
  const asAdmin = async () => {
    const headers = { authorization: basic(`admin:${ADMIN_PASSWORD}`) };
    const response = await fetch(`http://${listen}/api/v0/hosts`, { headers });
    return {
      status: response.status,
      body: await response.json(),
      wait: response.headers.get('retry-after'),
    };
  };
  const { status, body, wait } = await until('it listens', () => asAdmin().catch(() => undefined));
  expect([status, body, wait]).toEqual([503, expect.objectContaining({ code: 'starting' }), '1']);
  // More often than wrong passwords are accepted within a minute.
  for (let times = 0; times < 30; times += 1) expect((await asAdmin()).status).toBe(503);
  release();
  const service = await starting;
  expect((await asAdmin()).status).toBe(200);
  await service.stop();
});
