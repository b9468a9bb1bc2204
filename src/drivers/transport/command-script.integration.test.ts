import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import type { Argv } from '../../domain/command.ts';
import { commandScript, LOGIN_COMMAND } from './command-script.ts';

const AS_USER = { user: 'core', asRoot: false };
const script = (argv: Argv, login = AS_USER) => commandScript(argv, login, 'mark');
const run = (shell: readonly string[], argv: Argv) => {
  const [program = '', ...args] = shell;
  return spawnSync(program, args, { input: script(argv), encoding: 'utf8' });
};

describe.each([['dash'], ['bash', '--posix'], ['busybox', 'sh']])('command script with %s', (...shell) => {
  test('runs the command after a marker on both streams', () => {
    const { stdout, stderr, status } = run(shell, ['sh', '-c', 'printf "$1"; printf "$2" >&2; exit 3', 'sh', 'o', 'e']);
    expect([stdout, stderr, status]).toEqual(['mark\no', 'mark\ne', 3]);
  });

  test('passes each argument unchanged', () => {
    const values = ["it's", '"', '\\', '\\\\n', '$HOME', '`id`', 'a\nb', '', '-n', '*', '\u0001', 'é'];
    const { stdout } = run(shell, ['printf', '%s\\000', ...values]);
    expect(stdout.slice('mark\n'.length).split('\0').slice(0, -1)).toEqual(values);
  });

  test('gives the command empty standard input', () => {
    expect(run(shell, ['cat'])).toMatchObject({ stdout: 'mark\n', status: 0 });
  });

  test('adds the administration directories to PATH', () => {
    expect(run(shell, ['sh', '-c', 'echo "$PATH"']).stdout).toMatch(/:\/usr\/sbin:\/sbin\n$/);
  });
});

test.each([
  ['root as root', { user: 'root', asRoot: true }, "exec 'id' '-u' </dev/null"],
  ['another user', { user: 'core', asRoot: false }, "exec 'id' '-u' </dev/null"],
  ['another user as root', { user: 'core', asRoot: true }, "exec sudo -n -- 'id' '-u' </dev/null"],
])('command script for %s uses noninteractive sudo only if needed', (_label, login, line) => {
  expect(script(['id', '-u'], login).trimEnd().split('\n').at(-1)).toBe(line);
});

test('command script rejects an argument with a NUL byte', () => {
  expect(() => script(['printf', 'a\0b'])).toThrow(/NUL byte/);
});

test('LOGIN_COMMAND contains only characters that all shells read in the same way', () => {
  expect(LOGIN_COMMAND).toMatch(/^[a-z/ ]+$/);
});
