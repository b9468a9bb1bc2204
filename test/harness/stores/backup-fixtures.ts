import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { ensureDataKey } from '../../../src/app/initialize-store.ts';
import { runBackup } from '../../../src/server/backup/backup.ts';
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts';

const KEY = Buffer.alloc(32, 1);

export const configSources = (data: string, more: Record<string, string> = {}) => ({
  environment: { HOSTLER_DATA: data, HOSTLER_SECRET_KEY: KEY.toString('base64'), ...more },
  flags: {},
});

export const POSTGRES = { HOSTLER_STORE: 'postgres://127.0.0.1:1/x' };

interface BackupFixture {
  /** Temporary folder of the suite. */
  readonly base: string;
  /** Folder of an empty store. */
  readonly source: string;
  readonly backup: string;
  /** Stdout of the test. */
  output(): string;
}

/** A store and its backup for the tests of a file. */
export function backupFixture(): BackupFixture {
  const base = mkdtempSync(path.join(tmpdir(), 'hostler-backup-'));
  const [source, backup] = [path.join(base, 'source'), path.join(base, 'backup')];
  let output = '';
  beforeAll(async () => {
    vi.spyOn(process.stdout, 'write').mockImplementation(text => {
      output += String(text);
      return true;
    });
    mkdirSync(source);
    const store = await openSqlite(source);
    await ensureDataKey({ store }, () => [KEY]);
    await store.close();
    await runBackup(configSources(source), { file: backup, canOverwrite: false });
  });
  afterAll(() => {
    vi.restoreAllMocks();
    rmSync(base, { recursive: true, force: true });
  });
  beforeEach(() => {
    output = '';
  });
  return { base, source, backup, output: () => output };
}
