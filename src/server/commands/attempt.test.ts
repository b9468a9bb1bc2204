import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StoreDamagedError, StoreUnavailableError } from '../../domain/errors.ts';
import { LastingError } from '../../lib/errors/lasting-error.ts';
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

test.each<[string, Error, RegExp, number]>([
  ['it can be mended', new PlainError('there is no store'), /^hostler: there is no store\n$/, EXIT.failed],
  [
    'only a person can mend it',
    new LastingError('no such address'),
    /^hostler: no such address\n$/,
    EXIT.misconfigured,
  ],
  [
    'the store is away',
    new StoreUnavailableError(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })),
    /^hostler: cannot connect to the store: ECONNREFUSED; check the setting store\n$/,
    EXIT.failed,
  ],
  [
    'the store is corrupt',
    new StoreDamagedError(new Error('no such table: hosts')),
    /^hostler: the store is corrupt: no such table: hosts; restore a backup \(see docs\/admin\/backup-and-restore\.md\)\n$/,
    EXIT.misconfigured,
  ],
  ['nobody has foreseen it', new TypeError('odd'), /^hostler: TypeError: odd\n +at /, EXIT.failed],
])('a command that fails says why, and ends so: %s', async (_why, error, told, status) => {
  const umask = process.umask();
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    said.mockRestore();
    process.umask(umask);
    exit.mockRestore();
  });
  await attempt(() => Promise.reject(error));
  expect(said).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(told));
  expect(exit).toHaveBeenCalledExactlyOnceWith(status);
});
