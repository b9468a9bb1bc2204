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

describe.each([['dash'], ['bash', '--posix'], ['busybox', 'sh']])('the script under %s', (...shell) => {
  test('becomes the command, after a mark on both streams', () => {
    const { stdout, stderr, status } = run(shell, [
      'sh',
      '-c',
      'printf "$1"; printf "$2" >&2; exit 3',
      'sh',
      'o',
      'e',
    ]);
    expect([stdout, stderr, status]).toEqual(['mark\no', 'mark\ne', 3]);
  });

  test('brings each argument as it is', () => {
    const odd = ["it's", '"', '\\', '\\\\n', '$HOME', '`id`', 'a\nb', '', '-n', '*', '\u0001', 'é'];
    const { stdout } = run(shell, ['printf', '%s\\000', ...odd]);
    expect(stdout.slice('mark\n'.length).split('\0').slice(0, -1)).toEqual(odd);
  });

  test('leaves nothing of itself for the command to read', () => {
    expect(run(shell, ['cat'])).toMatchObject({ stdout: 'mark\n', status: 0 });
  });

  test('finds what is in the folders of administrators', () => {
    expect(run(shell, ['sh', '-c', 'echo "$PATH"']).stdout).toMatch(/:\/usr\/sbin:\/sbin\n$/);
  });
});

test.each([
  ['root, as root', { user: 'root', asRoot: true }, "exec 'id' '-u' </dev/null"],
  ['another user', { user: 'core', asRoot: false }, "exec 'id' '-u' </dev/null"],
  ['another user, as root', { user: 'core', asRoot: true }, "exec sudo -n -- 'id' '-u' </dev/null"],
])('%s: sudo is asked only where it is needed, and never asks back', (_who, login, line) => {
  expect(script(['id', '-u'], login).trimEnd().split('\n').at(-1)).toBe(line);
});

test('an argument that no program can be given is refused before anything is sent', () => {
  expect(() => script(['printf', 'a\0b'])).toThrow(/NUL byte/);
});

test('what sshd is asked for has nothing that shells read in different ways', () => {
  expect(LOGIN_COMMAND).toMatch(/^[a-z/ ]+$/);
});
