// What a restore says of the audit log of its backup.

import { copyFileSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/service.ts';
import { backedUp, sourcesOf } from '../../../test/harness/stores/backed-up.ts';
import { runBackup } from './backup.ts';
import { runRestore } from './restore.ts';

const fixture = backedUp();
const backup = path.join(fixture.base, 'with-entries');

beforeAll(async () => {
  const { HOSTLER_SECRET_KEY } = sourcesOf('').environment;
  const service = await startTestService('sqlite', { HOSTLER_SECRET_KEY });
  for (const name of ['a', 'b', 'c'])
    await service.put(`/api/v0/network/${name}`, { type: 'none', options: {} });
  // Whoever reads it has all of it put into the log.
  await service.get('/api/v0/audit');
  await runBackup(sourcesOf(service.place.folder), { file: backup, canOverwrite: false });
  await service.stop();
});

/** Restores the backup, after somebody had it in hand; answers what was said. */
async function restoreAfter(sql: string): Promise<string> {
  const file = path.join(mkdtempSync(path.join(fixture.base, 'in-hand-')), 'backup');
  copyFileSync(backup, file);
  const database = new Database(file);
  database.exec(sql);
  database.close();
  const data = mkdtempSync(path.join(fixture.base, 'data-'));
  await runRestore(sourcesOf(data), { file, canReplace: false });
  return fixture.said();
}

describe('a restore', () => {
  test('says that the chain holds, and the mark to compare', async () => {
    const output = await restoreAfter('');
    expect(output).toMatch(
      /^Audit log of the backup: \d+ entries from .*; the hash chain is valid\. Newest entry: \d+:[0-9a-f]{64}$/m,
    );
    expect(output).not.toContain('Warning');
  });

  test('says of a store that never ran that there is none', async () => {
    const data = mkdtempSync(path.join(fixture.base, 'data-'));
    await runRestore(sourcesOf(data), { file: fixture.backup, canReplace: false });
    expect(fixture.said()).toContain('The audit log of the backup is empty.\n');
  });

  test.each([
    [
      'changed an entry',
      "drop trigger log_no_update; update log set actor = 'somebody else' where id = 2",
      /the hash chain is broken: entry 2 does not follow from the previous one/,
    ],
    [
      'taken away the newest entry',
      'drop trigger log_no_delete; delete from log where id = (select max(id) from log)',
      /the hash chain is broken: entry \d+ .* its newest entries were deleted/,
    ],
    ['taken away the key of the chain', 'delete from log_keys', /\(table log_keys\) is missing/],
    [
      'put in another key',
      "update log_keys set sealed_key = 'AAAA'",
      /\(table log_keys\) cannot be decrypted/,
    ],
  ])(
    'warns when somebody has %s, as its last word, and restores it all the same',
    async (_what, sql, reason) => {
      const output = await restoreAfter(sql);
      const last = output.trimEnd().split('\n').at(-1);
      expect(last).toMatch(/^Warning: the audit log of this backup failed verification: /);
      expect(last).toMatch(reason);
      expect(output).toMatch(/^Restored: /m);
    },
  );
});
