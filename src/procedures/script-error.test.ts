import { describe, expect, test } from 'vitest';
import { parseScriptError, ScriptError } from './script-error.ts';

const parse = (stdout: string) => String(parseScriptError({ stdout: Buffer.from(stdout) }));

describe('parseScriptError', () => {
  test('finds the error after the output of a login profile', () => {
    expect(parse("Welcome!\nhostler-error create_folder mkdir: can't create: Read-only file system\nbye\n")).toBe(
      "run_not_writable: cannot create /run/hostler on the host: mkdir: can't create: Read-only file system",
    );
  });

  test.each([
    ['create_folder', 'run_not_writable: cannot create /run/hostler on the host: x'],
    ['write_file', 'run_not_writable: cannot write to /run/hostler on the host: x'],
    ['read_boot_id', 'proc_not_readable: cannot read /proc/sys/kernel/random/boot_id on the host: x'],
    ['read_uptime', 'proc_not_readable: cannot read /proc/uptime on the host: x'],
  ])('maps the action %s to its code and text', (action, error) => {
    expect(parse(`hostler-error ${action} x\n`)).toBe(error);
  });

  test('omits the quote when the command printed nothing', () => {
    expect(parse('hostler-error write_file \n')).toBe('run_not_writable: cannot write to /run/hostler on the host');
  });

  test.each([
    ['no output', ''],
    ['output without the marker', 'mkdir: cannot create directory: Read-only file system\n'],
    ['an unknown action', 'hostler-error reboot x\n'],
    ['the name of an Object property', 'hostler-error constructor x\n'],
    ['the marker within a line', 'x hostler-error write_file x\n'],
  ])('returns undefined for %s', (_case, stdout) => {
    expect(parseScriptError({ stdout: Buffer.from(stdout) })).toBeUndefined();
  });

  test('keeps the end of a long line, in 200 visible characters', () => {
    const line = `ln: '${'/path'.repeat(2000)}': \u001b[31mNo space left on device`;
    const { detail } = ScriptError.of('write_file', line) ?? { detail: '' };
    expect(detail).toMatch(/^cannot write to \/run\/hostler on the host: ….*': \[31mNo space left on device$/);
    expect(detail.slice(detail.indexOf('…'))).toHaveLength(200);
  });
});
