import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPrivateDirectory } from './files.ts';

test('each folder that is made is for its own user, and one that is there stays as it is', () => {
  const base = mkdtempSync(path.join(tmpdir(), 'hostler-folder-'));
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

// In a process of its own, which can be ended: what hangs there hangs outside of JavaScript.
test('where no folder can be made, however deep, that is told within a second', () => {
  const program = `
    import { createPrivateDirectory } from ${JSON.stringify(path.join(import.meta.dirname, 'files.ts'))};
    const begunMs = performance.now();
    try {
      createPrivateDirectory('/proc/nowhere/at/all');
    } catch ({ code }) {
      console.log(JSON.stringify([code, performance.now() - begunMs < 1000]));
    }`;
  const args = ['--input-type=module', '--no-warnings', '-e', program];
  const output = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 10_000,
    killSignal: 'SIGKILL',
  });
  expect(JSON.parse(output)).toEqual(['ENOENT', true]);
});
