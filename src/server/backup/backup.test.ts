import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { backupFixture, configSources, POSTGRES } from '../../../test/harness/stores/backup-fixtures.ts';
import { storeFilePath } from '../../store/sqlite/open-sqlite.ts';
import { runBackup } from './backup.ts';

const fixture = backupFixture();
const { base, source } = fixture;

describe('runBackup()', () => {
  const backUp = (file: string, { isForced: canOverwrite = false, more = {} } = {}) =>
    runBackup(configSources(source, more), { file, canOverwrite });

  test('creates a file that only its owner can read, and prints the location of the secret key', async () => {
    const file = path.join(base, 'another');
    const more = { HOSTLER_SECRET_KEY_FILE: '/etc/hostler/key' };
    await runBackup({ environment: { HOSTLER_DATA: source, ...more }, flags: {} }, { file, canOverwrite: false });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(fixture.output()).toMatch(
      /^Saved 0 hosts and 0 clusters to .*another \(0\.\d MiB\) and verified the file\.$/m,
    );
    expect(fixture.output()).toContain('The backup does not contain the secret key. The key is in /etc/hostler/key');
    expect(readdirSync(base).filter(name => name.startsWith('another'))).toEqual(['another']);
  });

  test('replaces a file only with --force', async () => {
    const file = path.join(base, 'kept');
    writeFileSync(file, 'mine');
    await expect(backUp(file)).rejects.toThrow(/already exists; choose another name, or use --force/);
    expect(readFileSync(file, 'utf8')).toBe('mine');
    await backUp(file, { isForced: true });
    expect(readFileSync(file).subarray(0, 6).toString()).toBe('SQLite');
  });

  test.each<[string, () => string, RegExp]>([
    ['to standard output', () => '-', /specify a file name/],
    ['to an empty file name', () => '', /specify a file name/],
    ['to a directory', () => source, /is not a regular file/],
    ['into a missing directory', () => path.join(base, 'no', 'x'), /the directory .* does not exist/],
    ['over the store', () => storeFilePath(source), /file of the server itself/],
    ['over the WAL of the store', () => `${storeFilePath(source)}-wal`, /file of the server itself/],
    ['over the secret key', () => path.join(source, 'secret.key'), /file of the server itself/],
    [
      'through a symbolic link',
      () => {
        symlinkSync('/dev/null', path.join(base, 'link'));
        return path.join(base, 'link');
      },
      /is not a regular file/,
    ],
  ])('rejects a backup %s, also with --force', async (_name, file, expectedError) => {
    const before = readdirSync(base).length;
    const targetFile = file();
    const createdFiles = readdirSync(base).length - before;
    await expect(backUp(targetFile, { isForced: true })).rejects.toThrow(expectedError);
    expect(readdirSync(base)).toHaveLength(before + createdFiles);
  });

  test('rejects PostgreSQL and a missing store', async () => {
    await expect(backUp('x', { more: POSTGRES })).rejects.toThrow(/docs\/admin\/backup-and-restore\.md/);
    await expect(backUp('x', { more: { HOSTLER_DATA: base } })).rejects.toThrow(
      /^there is no store in \/.*; use the data directory of the server \(--data\)/,
    );
  });

  test('leaves no file if the store is corrupt', async () => {
    const broken = path.join(base, 'broken');
    mkdirSync(broken);
    writeFileSync(storeFilePath(broken), 'no database'.repeat(1000));
    const file = path.join(base, 'of-broken');
    await expect(backUp(file, { more: { HOSTLER_DATA: broken } })).rejects.toThrow(/the backup failed/);
    expect(readdirSync(base).filter(name => name.startsWith('of-broken'))).toEqual([]);
  });
});
