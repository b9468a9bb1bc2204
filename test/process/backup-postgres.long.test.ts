// Follows docs/admin/backup-and-restore.md for PostgreSQL: dump while a service runs, restore into another
// database, sanitize and serve.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import { runHostler } from '../harness/programs/process.ts';
import { ServerProcess, serverSettings } from '../harness/programs/server-process.ts';
import { findPostgresBinaries } from '../harness/stores/postgres.ts';
import type { TestDatabase } from '../harness/stores/stores.ts';
import { createTestDatabase, describePostgres } from '../harness/stores/stores.ts';

describePostgres('a PostgreSQL store', () => {
  const key = randomBytes(32).toString('base64');
  let databases: readonly [TestDatabase, TestDatabase];
  beforeAll(async () => {
    databases = [await createTestDatabase('postgres'), await createTestDatabase('postgres')];
  });
  afterAll(() => Promise.all(databases.map(database => database.remove())));

  const settings = (database: TestDatabase) =>
    serverSettings(database, { HOSTLER_SECRET_KEY: key, HOSTLER_TRANSPORT: 'none' });
  const serve = (database: TestDatabase) => ServerProcess.start({ settings: settings(database) });
  const postgres = (program: string, ...args: string[]) =>
    execFileSync(path.join(findPostgresBinaries() ?? '', program), args);

  test('is dumped, restored and sanitized without losing records', async () => {
    const [from, to] = databases;
    const { program, client } = await serve(from);
    const [name, address] = ['web', '127.0.0.1'];
    await client.putCluster({ name, body: { network: 'default' } });
    await client.putHost({ address, body: { ssh_priv_key: PRIVATE_KEY, cluster: name } });
    await client.putRestart({ name, body: {} });
    const dump = path.join(from.folder, 'hostler.dump');
    postgres('pg_dump', '--format=custom', `--file=${dump}`, from.location);
    await program.kill('SIGTERM');

    postgres('pg_restore', '--no-owner', `--dbname=${to.location}`, dump);
    const sanitize = runHostler(['admin', 'after-restore'], settings(to));
    expect(await sanitize.ended, sanitize.stderr).toMatchObject({ code: 0 });
    expect(sanitize.stdout).toMatch(/restart \S+ of web is paused/);
    const restored = await serve(to);
    expect((await restored.client.getHostCreds({ address })).body.ssh_priv_key).toBe(PRIVATE_KEY);
    expect((await restored.client.listOperations()).body).toMatchObject([
      { state: 'paused', paused_by: 'manual', problem: expect.stringMatching(/^restored: /) },
    ]);
    // Sequence numbers continue.
    await restored.client.putCluster({ name: 'later', body: { network: 'default' } });
    await restored.program.kill('SIGTERM');
  });
});
