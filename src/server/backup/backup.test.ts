// The command in this process: what it refuses, and that a refusal changes nothing.

import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { backedUp, POSTGRES, sourcesOf } from '../../../test/harness/stores/backed-up.ts';
import { storeFilePath } from '../../store/sqlite/open-sqlite.ts';
import { runBackup } from './backup.ts';

const fixture = backedUp();
const { base, source } = fixture;

describe('a backup', () => {
  const backUp = (file: string, { isForced: canOverwrite = false, more = {} } = {}) =>
    runBackup(sourcesOf(source, more), { file, canOverwrite });

  test('is a file for its own user, and says where the secret key is', async () => {
    const file = path.join(base, 'another');
    const more = { HOSTLER_SECRET_KEY_FILE: '/etc/hostler/key' };
    await runBackup(
      { environment: { HOSTLER_DATA: source, ...more }, flags: {} },
      { file, canOverwrite: false },
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(fixture.said()).toMatch(
      /^Saved 0 hosts and 0 clusters to .*another \(0\.\d MiB\) and verified the file\.$/m,
    );
    expect(fixture.said()).toContain(
      'The backup does not contain the secret key. The key is in /etc/hostler/key',
    );
    expect(readdirSync(base).filter(name => name.startsWith('another'))).toEqual(['another']);
  });

  test('replaces a file only when it is told to', async () => {
    const file = path.join(base, 'kept');
    writeFileSync(file, 'mine');
    await expect(backUp(file)).rejects.toThrow(/already exists; choose another name, or use --force/);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await backUp(file, { isForced: true });
    expect(readFileSync(file).subarray(0, 6).toString()).toBe('SQLite');
  });

  test.each<[string, () => string, RegExp]>([
    ['to standard output', () => '-', /specify a file name/],
    ['to nowhere', () => '', /specify a file name/],
    ['to a folder', () => source, /is not a regular file/],
    ['into a folder that is not there', () => path.join(base, 'no', 'x'), /the directory .* does not exist/],
    ['over the store', () => storeFilePath(source), /file of the server itself/],
    ['over the log of the store', () => `${storeFilePath(source)}-wal`, /file of the server itself/],
    ['over the secret key', () => path.join(source, 'secret.key'), /file of the server itself/],
    [
      'through a link',
      () => {
        symlinkSync('/dev/null', path.join(base, 'link'));
        return path.join(base, 'link');
      },
      /is not a regular file/,
    ],
  ])('%s is refused, also by force', async (_where, file, expectedError) => {
    const before = readdirSync(base).length;
    const place = file();
    const createdFiles = readdirSync(base).length - before;
    await expect(backUp(place, { isForced: true })).rejects.toThrow(expectedError);
    expect(readdirSync(base)).toHaveLength(before + createdFiles);
  });

  test('of a PostgreSQL, or of no store, is refused', async () => {
    await expect(backUp('x', { more: POSTGRES })).rejects.toThrow(/docs\/admin\/backup-and-restore\.md/);
    await expect(backUp('x', { more: { HOSTLER_DATA: base } })).rejects.toThrow(
      /^there is no store in \/.*; use the data directory of the server \(--data\)/,
    );
  });

  test('of a store that is corrupt leaves nothing', async () => {
    const broken = path.join(base, 'broken');
    mkdirSync(broken);
    writeFileSync(storeFilePath(broken), 'no database'.repeat(1000));
    const file = path.join(base, 'of-broken');
    await expect(backUp(file, { more: { HOSTLER_DATA: broken } })).rejects.toThrow(/the backup failed/);
    expect(readdirSync(base).filter(name => name.startsWith('of-broken'))).toEqual([]);
  });
});
