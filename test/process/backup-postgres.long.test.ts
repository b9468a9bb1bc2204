// As docs/admin/backup-and-restore.md says for PostgreSQL: dumped while a service runs, restored into another database, made safe, and served.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../src/sdk/client.ts';
import { PRIVATE_KEY } from '../harness/keys.ts';
import { runHostler } from '../harness/programs/process.ts';
import { findBinaries } from '../harness/stores/postgres.ts';
import type { StorePlace } from '../harness/stores/stores.ts';
import { describePostgres, makeStorePlace } from '../harness/stores/stores.ts';

describePostgres('a PostgreSQL', () => {
  const key = randomBytes(32).toString('base64');
  let places: readonly [StorePlace, StorePlace];
  beforeAll(async () => {
    places = [await makeStorePlace('postgres'), await makeStorePlace('postgres')];
  });
  afterAll(() => Promise.all(places.map(place => place.remove())));

  const settings = (place: StorePlace) => ({
    HOSTLER_LISTEN: '127.0.0.1:0',
    HOSTLER_STORE: place.location,
    HOSTLER_SECRET_KEY: key,
    HOSTLER_ADMIN_PASSWORD: 'given',
    HOSTLER_TRANSPORT: 'none',
  });
  const serve = async (place: StorePlace) => {
    const service = runHostler(['serve'], settings(place));
    const client = createClient({ baseUrl: await service.url(), user: 'admin', password: 'given' });
    return { service, client };
  };
  const postgres = (program: string, ...args: string[]) =>
    execFileSync(path.join(findBinaries() ?? '', program), args);

  test('is dumped, restored and made safe, and has what it had', async () => {
    const [from, to] = places;
    const { service, client } = await serve(from);
    const [name, address] = ['web', '127.0.0.1'];
    await client.putCluster({ name, body: { network: 'default' } });
    await client.putHost({ address, body: { ssh_priv_key: PRIVATE_KEY, cluster: name } });
    await client.putRestart({ name, body: {} });
    const dump = path.join(from.folder, 'hostler.dump');
    postgres('pg_dump', '--format=custom', `--file=${dump}`, from.location);
    await service.kill('SIGTERM');

    postgres('pg_restore', '--no-owner', `--dbname=${to.location}`, dump);
    const safe = runHostler(['admin', 'after-restore'], settings(to));
    expect(await safe.ended, safe.stderr).toMatchObject({ code: 0 });
    expect(safe.stdout).toMatch(/restart \S+ of web is paused/);
    const restored = await serve(to);
    expect((await restored.client.getHostCreds({ address })).body.ssh_priv_key).toBe(PRIVATE_KEY);
    expect((await restored.client.listOperations()).body).toMatchObject([
      { state: 'paused', paused_by: 'manual', problem: expect.stringMatching(/^restored: /) },
    ]);
    // Numbers go on where they were.
    await restored.client.putCluster({ name: 'later', body: { network: 'default' } });
    await restored.service.kill('SIGTERM');
  });
});
