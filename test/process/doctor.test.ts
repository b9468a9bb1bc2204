import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROGRAM, runCommand, runHostler } from '../harness/programs/process.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hostler-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('hostler doctor exits with 0 and prints JSON when all checks pass, and creates no files', async () => {
  const program = runHostler(['doctor', '-o=json', '--data', folder, '--listen', '127.0.0.1:0'], {});
  expect(await program.ended).toEqual({ code: 0, signal: null });
  expect(program.stderr).toBe('');
  const { ok, checks } = JSON.parse(program.stdout);
  expect(ok).toBe(true);
  expect(checks[0]).toEqual({ check: 'configuration', severity: 'ok', detail: 'all settings are valid' });
  expect(readdirSync(folder)).toEqual([]);
});

test('hostler doctor exits with 1 when a check fails, and prints aligned lines without colours in a pipe', async () => {
  const program = runHostler(['doctor', '--data', folder], { HOSTLER_LISTEN: 'x', HOSTLER_LEASE_S: '0' });
  expect(await program.ended).toEqual({ code: 1, signal: null });
  expect(program.stdout.split('\n').slice(0, 3)).toEqual([
    'error    configuration   HOSTLER_LISTEN: must be HOST:PORT, such as 127.0.0.1:8000 or [::1]:8000',
    'error    configuration   HOSTLER_LEASE_S: must be a whole number from 3 to 300',
    expect.stringMatching(/^ok {7}data directory {2}\d+ MiB free/),
  ]);
});

test('hostler doctor exits silently with its normal code when its output pipe is closed', async () => {
  const program = runHostler(['doctor', '--data', folder], { HOSTLER_LISTEN: 'x' });
  program.child.stdout?.destroy();
  expect(await program.ended).toEqual({ code: 1, signal: null });
  expect(program.stderr).toBe('');
});

test('hostler doctor reports an output that cannot be written', async () => {
  const program = runCommand(
    'sh',
    ['-c', `exec "$0" "$1" doctor --data "$2" > /dev/full`, process.execPath, PROGRAM, folder],
    {},
  );
  expect(await program.ended).toEqual({ code: 1, signal: null });
  expect(program.stderr).toMatch(/^hostler: cannot write the output: ENOSPC/);
});
