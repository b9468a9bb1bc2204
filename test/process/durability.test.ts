import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../src/sdk/client.ts';
import { PRIVATE_KEY } from '../harness/credentials.ts';
import { runHostler } from '../harness/programs/process.ts';
import { ServerProcess, serverSettings } from '../harness/programs/server-process.ts';
import type { TestDatabase } from '../harness/stores/stores.ts';
import { createTestDatabase, describeByStore } from '../harness/stores/stores.ts';
import { IS_LONG_RUN } from '../harness/vitest/long-run.ts';

const ROUNDS = IS_LONG_RUN ? 4 : 1;

describeByStore(
  kind => `the service on ${kind}`,
  kind => {
    let database: TestDatabase;
    const key = randomBytes(32).toString('base64');
    const settings = (on = database) => serverSettings(on, { HOSTLER_SECRET_KEY: key });
    const start = () => ServerProcess.start({ settings: settings() });

    beforeAll(async () => {
      database = await createTestDatabase(kind);
    });
    afterAll(() => database.remove());

    test('keeps confirmed changes after kill -9', async () => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        const { program, client } = await start();
        const name = `round-${round}`;
        const address = `127.0.7.${round}`;
        await client.putCluster({ name, body: { network: 'default' } });
        await client.putHost({ address, body: { ssh_priv_key: PRIVATE_KEY, cluster: name } });
        await program.kill('SIGKILL');
      }
      const { program, client } = await start();
      const rounds = Array.from({ length: ROUNDS }, (_, index) => index + 1);
      expect((await client.listClusters()).body).toEqual(rounds.map(round => `round-${round}`));
      for (const round of rounds) {
        expect((await client.listMembers({ name: `round-${round}` })).body).toEqual([`127.0.7.${round}`]);
        expect((await client.getHostCreds({ address: `127.0.7.${round}` })).body.ssh_priv_key).toBe(PRIVATE_KEY);
      }
      expect((await client.listAudit({ query: { type: 'host.created' } })).body).toHaveLength(ROUNDS);
      await program.kill('SIGTERM');
    });

    test('applies a reset admin password within a second while it runs', async () => {
      const { program, client } = await start();
      await client.getOwnAccount();
      const reset = runHostler(['admin', 'reset-password'], settings());
      expect((await reset.ended).code).toBe(0);
      const password = /password is:\n {2}(\S+)/.exec(reset.stdout)?.[1] ?? '';
      const changed = createClient({ baseUrl: await program.url(), user: 'admin', password });
      expect((await changed.getOwnAccount()).status).toBe(200);
      await expect.poll(() => client.getOwnAccount().catch(error => error.status), { timeout: 5000 }).toBe(401);
      const entries = (await changed.listAudit({ query: { type: 'account.changed' } })).body;
      expect(entries).toMatchObject([{ subject: 'admin', actor: '', address: '' }]);
      await program.kill('SIGTERM');
    });

    test('rejects reset-password on an empty store', async () => {
      const empty = await createTestDatabase(kind);
      const reset = runHostler(['admin', 'reset-password'], settings(empty));
      expect((await reset.ended).code).toBe(1);
      expect(reset.stderr).toMatch(/start the server once to create/);
      expect(reset.stdout).toBe('');
      await empty.remove();
    });
  },
);
