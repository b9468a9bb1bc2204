import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PlainError } from '../../lib/errors/plain-error.ts';
import { EXIT } from '../../program/exit-codes.ts';
import { attempt } from './attempt.ts';

test('what a command creates is for its own user only', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-attempt-'));
  const umask = process.umask(0o022);
  onTestFinished(() => {
    process.umask(umask);
    rmSync(folder, { recursive: true });
  });
  const file = path.join(folder, 'created');
  await attempt(async () => writeFileSync(file, ''));
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
});

test('a command that fails says why, and has the program end so', async () => {
  const [umask, exitCode] = [process.umask(), process.exitCode];
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    said.mockRestore();
    process.umask(umask);
    process.exitCode = exitCode;
  });
  await attempt(() => Promise.reject(new PlainError('there is no store')));
  expect(said).toHaveBeenCalledExactlyOnceWith('hostler: there is no store\n');
  expect(process.exitCode).toBe(EXIT.failed);
});
