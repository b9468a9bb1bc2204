import { describe, expect, test } from 'vitest';
import { parseScriptError, ScriptError } from './script-error.ts';

const read = (stdout: string) => String(parseScriptError({ stdout: Buffer.from(stdout) }));

describe('an error that a script reports', () => {
  test('is found after the output of a login profile', () => {
    expect(
      read("Welcome!\nhostler-error create_folder mkdir: can't create: Read-only file system\nbye\n"),
    ).toBe(
      "run_not_writable: cannot create /run/hostler on the host: mkdir: can't create: Read-only file system",
    );
  });

  test.each([
    ['create_folder', 'run_not_writable: cannot create /run/hostler on the host: x'],
    ['write_file', 'run_not_writable: cannot write to /run/hostler on the host: x'],
    ['read_boot_id', 'proc_not_readable: cannot read /proc/sys/kernel/random/boot_id on the host: x'],
    ['read_uptime', 'proc_not_readable: cannot read /proc/uptime on the host: x'],
  ])('has a code and names the action %s', (action, error) => {
    expect(read(`hostler-error ${action} x\n`)).toBe(error);
  });

  test('is complete without output of the command', () => {
    expect(read('hostler-error write_file \n')).toBe(
      'run_not_writable: cannot write to /run/hostler on the host',
    );
  });

  test.each([
    ['nothing', ''],
    ['noise', 'mkdir: cannot create directory: Read-only file system\n'],
    ['an unknown action', 'hostler-error reboot x\n'],
    ['the name of a property that every object has', 'hostler-error constructor x\n'],
    ['the marker within a line', 'x hostler-error write_file x\n'],
  ])('is not read from %s', (_what, stdout) => {
    expect(parseScriptError({ stdout: Buffer.from(stdout) })).toBeUndefined();
  });

  test('keeps the end of a long line, in 200 visible characters', () => {
    const line = `ln: '${'/path'.repeat(2000)}': \u001b[31mNo space left on device`;
    const { detail } = ScriptError.of('write_file', line) ?? { detail: '' };
    expect(detail).toMatch(
      /^cannot write to \/run\/hostler on the host: ….*': \[31mNo space left on device$/,
    );
    expect(detail.slice(detail.indexOf('…'))).toHaveLength(200);
  });
});
