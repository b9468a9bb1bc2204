import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runHostler } from '../harness/programs/process.ts';
import type { TestService } from '../harness/service.ts';
import { startTestService } from '../harness/service.ts';
import { describeByStore, runSql, SQLITE_UNLESS_LONG } from '../harness/stores/stores.ts';
import { LoadLoop } from '../harness/workload/load-loop.ts';

const SECRET_KEY = randomBytes(32).toString('base64');
const PAUSE_MS = 5;

describeByStore(
  kind => `hostler audit verify, on ${kind}`,
  kind => {
    let service: TestService;
    beforeAll(async () => {
      service = await startTestService(kind, { HOSTLER_SECRET_KEY: SECRET_KEY });
    });
    afterAll(() => service.stop());

    async function verify(args: readonly string[] = [], secretKey = SECRET_KEY) {
      const program = runHostler(['audit', 'verify', ...args], {
        HOSTLER_DATA: service.database.folder,
        HOSTLER_STORE: service.database.location,
        HOSTLER_SECRET_KEY: secretKey,
      });
      const { code } = await program.ended;
      return { code, output: program.stdout + program.stderr };
    }

    test('confirms a valid chain while the service writes, and later the expected newest entry', async () => {
      await service.put('/api/v0/network/first', { type: 'none', options: {} });
      await service.get('/api/v0/audit');
      const networks = new LoadLoop('networks', PAUSE_MS, async number => {
        const { status } = await service.put(`/api/v0/network/n-${number}`, { type: 'none', options: {} });
        return status === 201 ? [] : [`status ${status}`];
      });
      const before = await networks.runDuring(() => verify());
      expect(networks.errors).toEqual([]);
      expect(before).toEqual({
        code: 0,
        output: expect.stringMatching(
          /^\d+ entries from \d{4}-\S+ to \d{4}-\S+; the hash chain is valid\. Newest entry: \d+:[0-9a-f]{64}\n$/,
        ),
      });
      const [mark = ''] = /\d+:[0-9a-f]{64}/.exec(before.output) ?? [];
      const after = await verify(['--expect', mark]);
      expect(after.code).toBe(0);
      expect(after.output).toContain(`Entry ${mark.split(':')[0]} has the expected hash.\n`);
    });

    test('reports the first entry that breaks the chain', async () => {
      const change = "set actor = 'mallory' where id = 2";
      await runSql(
        service.database,
        kind === 'postgres'
          ? `alter table log disable trigger user; update log ${change}`
          : `drop trigger log_no_update; update log ${change}`,
      );
      expect(await verify()).toEqual({
        code: 1,
        output:
          'hostler: the hash chain is broken: entry 2 does not follow from the previous one. It was changed, inserted or moved, or entries before it were deleted\n',
      });
    });

    test('rejects another secret key', async () => {
      const { code, output } = await verify([], randomBytes(32).toString('base64'));
      expect([code, output]).toEqual([78, expect.stringContaining('the secret key does not match this store')]);
    });
  },
  SQLITE_UNLESS_LONG,
);
