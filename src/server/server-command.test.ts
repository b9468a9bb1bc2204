import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EXIT_CODES } from '../cli/program.ts';
import { StoreCorruptError, StoreUnavailableError } from '../domain/errors.ts';
import { OperatorError, PermanentError } from '../lib/errors.ts';
import { runServerCommand } from './server-command.ts';

test('runServerCommand() creates files that only their owner can access', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostler-command-'));
  const umask = process.umask(0o022);
  onTestFinished(() => {
    process.umask(umask);
    rmSync(folder, { recursive: true });
  });
  const file = path.join(folder, 'created');
  await runServerCommand(async () => writeFileSync(file, ''));
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
});

test.each<[string, Error, RegExp, number]>([
  ['an OperatorError', new OperatorError('there is no store'), /^hostler: there is no store\n$/, EXIT_CODES.failed],
  ['a PermanentError', new PermanentError('no such address'), /^hostler: no such address\n$/, EXIT_CODES.misconfigured],
  [
    'an unavailable store',
    new StoreUnavailableError(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })),
    /^hostler: cannot connect to the store: ECONNREFUSED; check the setting store\n$/,
    EXIT_CODES.failed,
  ],
  [
    'a corrupt store',
    new StoreCorruptError(new Error('no such table: hosts')),
    /^hostler: the store is corrupt: no such table: hosts; restore a backup \(see docs\/admin\/backup-and-restore\.md\)\n$/,
    EXIT_CODES.misconfigured,
  ],
  ['an unexpected error', new TypeError('odd'), /^hostler: TypeError: odd\n +at /, EXIT_CODES.failed],
])('runServerCommand() prints the error and exits with its status: %s', async (_name, error, expected, status) => {
  const umask = process.umask();
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    stderr.mockRestore();
    process.umask(umask);
    exit.mockRestore();
  });
  await runServerCommand(() => Promise.reject(error));
  expect(stderr).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(expected));
  expect(exit).toHaveBeenCalledExactlyOnceWith(status);
});
