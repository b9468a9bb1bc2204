import { expect, test } from 'vitest';
import type { PasswordHasher } from '../../src/app/auth/password-hasher.ts';
import type { Problem } from '../../src/contract/fields.ts';
import { ADMIN_PASSWORD, basic, FAST_HASHER } from '../harness/credentials.ts';
import { freePort } from '../harness/http/sockets.ts';
import { startTestService } from '../harness/service.ts';
import { createTestDatabase, describeByStore, runSql } from '../harness/stores/stores.ts';
import { waitUntil } from '../harness/wait-until.ts';

describeByStore(
  kind => `GET /readyz with an outdated or new store on ${kind}`,
  kind => {
    test('returns 503 until the schema is current and an account exists', async () => {
      const database = await createTestDatabase(kind);
      const service = await startTestService(kind, {
        HOSTLER_DATA: database.folder,
        HOSTLER_STORE: database.location,
      });
      const ready = () => service.get<Problem>('/readyz', { as: null });
      expect((await ready()).status).toBe(200);

      await runSql(
        database,
        'create table migration_backup as select * from kysely_migration; delete from kysely_migration',
      );
      const { status, headers, body } = await ready();
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'store_unavailable', '5']);
      expect(body.detail).toMatch(/schema .* is older than this version/);
      expect((await service.get('/healthz', { as: null })).status).toBe(200);

      await runSql(database, 'insert into kysely_migration select * from migration_backup');
      expect((await ready()).status).toBe(200);

      // The state between the start of the listener and the creation of the first account.
      await runSql(database, 'delete from accounts');
      const early = await ready();
      expect([early.status, early.body.code, early.headers.get('retry-after')]).toEqual([503, 'starting', '1']);
      await service.stop();
      await database.remove();
    });
  },
);

test('a new server returns 503 for the correct password before the first account exists, without counting a failed login', async () => {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  let hashes = 0;
  const hasher: PasswordHasher = {
    ...FAST_HASHER.hasher,
    // The first hash is for passwords of unknown accounts, the second for the first account.
    hash: async password => {
      hashes += 1;
      if (hashes === 2) await isReleased;
      return FAST_HASHER.hasher.hash(password);
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
      retryAfter: response.headers.get('retry-after'),
    };
  };
  const { status, body, retryAfter } = await waitUntil('the server listens', () => asAdmin().catch(() => undefined));
  expect([status, body, retryAfter]).toEqual([503, expect.objectContaining({ code: 'starting' }), '1']);
  // More than the limit of failed logins per minute.
  for (let count = 0; count < 30; count += 1) expect((await asAdmin()).status).toBe(503);
  release();
  const service = await starting;
  expect((await asAdmin()).status).toBe(200);
  await service.stop();
});
