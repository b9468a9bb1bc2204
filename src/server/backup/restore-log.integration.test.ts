import { copyFileSync, mkdtempSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/service.ts';
import { backupFixture, configSources } from '../../../test/harness/stores/backup-fixtures.ts';
import { runBackup } from './backup.ts';
import { runRestore } from './restore.ts';

const fixture = backupFixture();
const backup = path.join(fixture.base, 'with-entries');

beforeAll(async () => {
  const { HOSTLER_SECRET_KEY } = configSources('').environment;
  const service = await startTestService('sqlite', { HOSTLER_SECRET_KEY });
  for (const name of ['a', 'b', 'c']) await service.put(`/api/v0/network/${name}`, { type: 'none', options: {} });
  // Reading the audit log flushes the outbox into it.
  await service.get('/api/v0/audit');
  await runBackup(configSources(service.database.folder), { file: backup, canOverwrite: false });
  await service.stop();
});

/** Restores the backup after changing it with SQL. Returns the output. */
async function restoreModified(sql: string): Promise<string> {
  const file = path.join(mkdtempSync(path.join(fixture.base, 'changed-')), 'backup');
  copyFileSync(backup, file);
  const database = new Database(file);
  database.exec(sql);
  database.close();
  const data = mkdtempSync(path.join(fixture.base, 'data-'));
  await runRestore(configSources(data), { file, canReplace: false });
  return fixture.output();
}

describe('restore: verification of the audit log', () => {
  test('prints a valid chain and its newest entry', async () => {
    const output = await restoreModified('');
    expect(output).toMatch(
      /^Audit log of the backup: \d+ entries from .*; the hash chain is valid\. Newest entry: \d+:[0-9a-f]{64}$/m,
    );
    expect(output).not.toContain('Warning');
  });

  test('prints that the log of a new store is empty', async () => {
    const data = mkdtempSync(path.join(fixture.base, 'data-'));
    await runRestore(configSources(data), { file: fixture.backup, canReplace: false });
    expect(fixture.output()).toContain('The audit log of the backup is empty.\n');
  });

  test.each([
    [
      'a changed entry',
      "drop trigger log_no_update; update log set actor = 'mallory' where id = 2",
      /the hash chain is broken: entry 2 does not follow from the previous one/,
    ],
    [
      'lost its newest entry',
      'drop trigger log_no_delete; delete from log where id = (select max(id) from log)',
      /the hash chain is broken: entry \d+ .* its newest entries were deleted/,
    ],
    ['lost its signing key', 'delete from log_keys', /\(table log_keys\) is missing/],
    ['another signing key', "update log_keys set sealed_key = 'AAAA'", /\(table log_keys\) cannot be decrypted/],
  ])('ends with a warning if the backup has %s, but restores it', async (_name, sql, reason) => {
    const output = await restoreModified(sql);
    const last = output.trimEnd().split('\n').at(-1);
    expect(last).toMatch(/^Warning: the audit log of this backup failed verification: /);
    expect(last).toMatch(reason);
    expect(output).toMatch(/^Restored: /m);
  });
});
