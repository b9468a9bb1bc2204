import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPrivateDirectory } from './files.ts';

test('createPrivateDirectory creates each level with mode 700 and keeps existing directories', () => {
  const base = mkdtempSync(path.join(tmpdir(), 'hostler-directory-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const before = process.umask(0);
  try {
    createPrivateDirectory(path.join(base, 'a', 'b'));
    createPrivateDirectory(path.join(base, 'a', 'b', 'c'));
  } finally {
    process.umask(before);
  }
  const modeOf = (name: string) => statSync(path.join(base, name)).mode & 0o777;
  expect(['a', 'a/b', 'a/b/c'].map(modeOf)).toEqual([0o700, 0o700, 0o700]);
});

// Runs in a child process that can be killed, because Node would hang in native code.
test('createPrivateDirectory fails on a file system that cannot create directories', () => {
  const program = `
    import { createPrivateDirectory } from ${JSON.stringify(path.join(import.meta.dirname, 'files.ts'))};
    try {
      createPrivateDirectory('/proc/nowhere/at/all');
    } catch ({ code }) {
      console.log(code);
    }`;
  const args = ['--input-type=module', '--no-warnings', '-e', program];
  const output = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 10_000,
    killSignal: 'SIGKILL',
  });
  expect(output).toBe('ENOENT\n');
});
