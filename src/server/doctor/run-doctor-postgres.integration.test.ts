import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockAt, KEY, runDoctorChecks } from '../../../test/harness/doctor-fixtures.ts';
import type { TestService } from '../../../test/harness/service.ts';
import { startTestService } from '../../../test/harness/service.ts';
import { describePostgres, runSql } from '../../../test/harness/stores/stores.ts';

describePostgres('doctor with PostgreSQL', () => {
  let shared: TestService;
  beforeAll(async () => {
    shared = await startTestService('postgres', { HOSTLER_SECRET_KEY: KEY });
  });
  afterAll(() => shared.stop());
  const settings = () => ({ HOSTLER_STORE: shared.database.location, HOSTLER_SECRET_KEY: KEY });

  test('reports no errors beside the running server', async () => {
    const lines = await runDoctorChecks(settings());
    expect(lines.filter(line => line.startsWith('error'))).toEqual([]);
    expect(lines).toContainEqual(expect.stringMatching(/^ok store: PostgreSQL \d+.*connections, schema/));
    expect(lines.join('\n')).not.toContain('data directory');
  });

  test('reports an unreachable database, a wrong key, a wrong clock and too few connections', async () => {
    const unreachable = await runDoctorChecks({
      ...settings(),
      HOSTLER_STORE: 'postgres://u:hunter2@127.0.0.1:1/x',
    });
    expect(unreachable).toContainEqual(
      expect.stringMatching(/^error store: cannot connect to PostgreSQL: .*ECONNREFUSED.*setting store/),
    );
    expect(unreachable.join('\n')).not.toContain('hunter2');
    const other = Buffer.alloc(32, 8).toString('base64');
    expect(await runDoctorChecks({ ...settings(), HOSTLER_SECRET_KEY: other })).toContainEqual(
      expect.stringMatching(/^error secret key: the secret key does not match this store/),
    );
    expect(await runDoctorChecks(settings(), { clock: clockAt(Date.now() + 10_000) })).toContainEqual(
      expect.stringMatching(/^warning clock: the system clock is \d+\.\d s ahead of the clock of PostgreSQL/),
    );
    expect(await runDoctorChecks({ ...settings(), HOSTLER_LIMIT_STORE_CONNECTIONS: '999' })).toContainEqual(
      expect.stringMatching(/^error store: PostgreSQL allows \d+ connections, but this server can need 1001/),
    );
  });

  test('reports a database that the server would reject at start', async () => {
    const name = `doctor_latin_${process.pid}`;
    await runSql(shared.database, `create database ${name} encoding 'LATIN1' locale 'C' template template0`);
    const url = new URL(shared.database.location);
    url.pathname = `/${name}`;
    const lines = await runDoctorChecks({ ...settings(), HOSTLER_STORE: url.href });
    await runSql(shared.database, `drop database ${name} with (force)`);
    expect(lines).toContainEqual(
      expect.stringMatching(/^error store: the encoding of the database is LATIN1, but must be UTF8/),
    );
  });
});
