import { expect, test } from 'vitest';
import type { Problem } from '../../src/contract/problem.ts';
import { startTestService } from '../harness/service.ts';
import { describeStores, makeStorePlace, runSql } from '../harness/stores/stores.ts';

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
        'server_busy',
        '1',
      ]);
      await service.stop();
      await place.remove();
    });
  },
);
