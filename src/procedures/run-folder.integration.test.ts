import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IsolatedHost } from '../../test/harness/shells/isolated-host.ts';
import { describeOnEachShell, openIsolatedHost } from '../../test/harness/shells/isolated-host.ts';
import { isRunFolderQuery, runFolderQuery } from './run-folder.ts';

describeOnEachShell('runFolderQuery', shell => {
  let host: IsolatedHost;
  beforeAll(async () => {
    host = await openIsolatedHost(shell);
  });
  afterAll(() => host.close());

  const check = async () => String(await host.connection.query(runFolderQuery, { timeoutMs: 10_000, asRoot: true }));

  test('leaves only the empty folder behind, accessible by root only', async () => {
    expect([await check(), await check()]).toEqual(['writable', 'writable']);
    expect(await host.bash('stat -c "%a %n" /run/hostler; ls -A /run/hostler')).toBe('700 /run/hostler\n');
  });

  test('passes when ten checks run at once', async () => {
    await host.bash('rm -rf /run/hostler');
    expect(await Promise.all(Array.from({ length: 10 }, check))).toEqual(Array(10).fill('writable'));
    expect(await host.bash('ls -A /run/hostler')).toBe('');
  });

  test.each([
    [
      'a read-only /run',
      'rm -r /run/hostler; mount -o remount,ro /run',
      'mount -o remount,rw /run',
      /^run_not_writable: cannot create \/run\/hostler on the host: mkdir: .*Read-only file system$/,
    ],
    [
      'a read-only /run with a folder',
      'mount -o remount,ro /run',
      'mount -o remount,rw /run',
      /^run_not_writable: cannot write to \/run\/hostler on the host: mkdir: .*Read-only file system$/,
    ],
    [
      'a full /run',
      'mount -o remount,size=1m /run; yes >/run/filler',
      'rm /run/filler; mount -o remount,size=50% /run',
      /^run_not_writable: cannot write to \/run\/hostler on the host: cat: .*No space left on device$/,
    ],
    [
      'a /run without free inodes',
      'mount -o remount,nr_inodes=$(($(df --output=iused /run | tail -1))) /run',
      'mount -o remount,nr_inodes=100000 /run',
      /^run_not_writable: cannot write to \/run\/hostler on the host: mkdir: .*No space left on device$/,
    ],
    [
      'a file in place of the folder',
      'rm -rf /run/hostler; echo >/run/hostler',
      'rm /run/hostler',
      /^run_not_writable: cannot create \/run\/hostler on the host: mkdir: .*File exists$/,
    ],
    [
      'a folder that others can write to',
      'chmod 777 /run/hostler',
      'chmod 700 /run/hostler',
      /^run_folder_unsafe: \/run\/hostler on the host must be a folder of root with mode 0700; .*: drwxrwxrwx /,
    ],
    [
      'a folder of another user',
      'chown 1 /run/hostler',
      'chown 0 /run/hostler',
      /^run_folder_unsafe: .*: drwx------\.? +\d+ 1 /,
    ],
    [
      'a symbolic link to a folder',
      'rm -rf /run/hostler; mkdir -m 700 /run/elsewhere; ln -s elsewhere /run/hostler',
      'rm /run/hostler',
      /^run_folder_unsafe: .*: lrwxrwxrwx /,
    ],
  ])('reports %s with the output of the command', async (_case, change, repair, error) => {
    await host.bash(`mkdir -m 700 -p /run/hostler; ${change}`);
    try {
      expect(await check()).toMatch(error);
    } finally {
      await host.bash(repair);
    }
    expect(await check()).toBe('writable');
    expect(await host.bash('ls -A /run/hostler')).toBe('');
  });
});

test('isRunFolderQuery recognises only the check of /run', () => {
  expect(isRunFolderQuery(runFolderQuery.argv)).toBe(true);
  expect(isRunFolderQuery(['sh', '-c', 'true'])).toBe(false);
});
