// A start that fails at any await closes every component that was started.

import { describe, expect, test } from 'vitest';
import { runCommand } from '../harness/programs/process.ts';
import { createTestDatabase, describeByStore, SQLITE_UNLESS_LONG } from '../harness/stores/stores.ts';
import type { StartReport } from './start-with-faults.ts';

const SCRIPT = 'test/process/start-with-faults.ts';
const CLEAN = { isStoreClosed: true, callsAfterClose: 0, open: [] };

describeByStore(
  kind => `a start on ${kind}`,
  kind => {
    describe.each(['before', 'after'])('when the store or the password hasher fails %s a call takes effect', when => {
      test('leaves nothing running and nothing open', async () => {
        const database = await createTestDatabase(kind);
        const program = runCommand(process.execPath, [SCRIPT, database.location, when, database.folder], {});
        // The process ends by itself only if no timer, socket or thread is left.
        expect([await program.ended, program.stderr]).toEqual([{ code: 0, signal: null }, '']);
        await database.remove();
        const lines = program.stdout.trim().split('\n');
        const reports = lines.map(line => JSON.parse(line) as StartReport);
        const succeeded = reports.findIndex(({ error }) => error === null);
        expect(succeeded).toBeGreaterThan(20);
        expect(reports).toEqual([
          ...reports.slice(0, succeeded).map((_, index) => ({
            fails: index + 1,
            error: `call ${index + 1}`,
            ...CLEAN,
          })),
          { fails: succeeded + 1, error: null, ...CLEAN },
          { fails: 'dashboard', error: expect.stringMatching(/ENOTDIR/), ...CLEAN },
          { fails: 'listen', error: expect.stringMatching(/^unknown\.invalid:80: /), ...CLEAN },
          { fails: 'certificate', error: expect.stringMatching(/^tls_cert: /), ...CLEAN },
          { fails: 'transport', error: expect.stringMatching(/^openssh_config: /), ...CLEAN },
        ]);
      });
    });
  },
  SQLITE_UNLESS_LONG,
);
