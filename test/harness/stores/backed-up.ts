import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { ensureDataKey } from '../../../src/app/initialize-store.ts';
import { runBackup } from '../../../src/server/backup/backup.ts';
import { openSqlite } from '../../../src/store/sqlite/open-sqlite.ts';

const KEY = Buffer.alloc(32, 1);

export const sourcesOf = (data: string, more: Record<string, string> = {}) => ({
  environment: { HOSTLER_DATA: data, HOSTLER_SECRET_KEY: KEY.toString('base64'), ...more },
  flags: {},
});

export const POSTGRES = { HOSTLER_STORE: 'postgres://127.0.0.1:1/x' };

interface BackedUp {
  /** A folder for whatever a test makes; it is gone in the end. */
  readonly base: string;
  /** The folder of a store that is empty. */
  readonly source: string;
  /** A backup of it. */
  readonly backup: string;
  /** What a test has said on standard output. */
  said(): string;
}

/** A store and its backup, for the tests of a file. */
export function backedUp(): BackedUp {
  const base = mkdtempSync(path.join(tmpdir(), 'hostler-backup-'));
  const [source, backup] = [path.join(base, 'source'), path.join(base, 'backup')];
  let said = '';
  beforeAll(async () => {
    vi.spyOn(process.stdout, 'write').mockImplementation(text => {
      said += String(text);
      return true;
    });
    mkdirSync(source);
    const store = await openSqlite(source);
    await ensureDataKey({ store }, () => [KEY]);
    await store.close();
    await runBackup(sourcesOf(source), { file: backup, canOverwrite: false });
  });
  afterAll(() => {
    vi.restoreAllMocks();
    rmSync(base, { recursive: true, force: true });
  });
  beforeEach(() => {
    said = '';
  });
  return { base, source, backup, said: () => said };
}
