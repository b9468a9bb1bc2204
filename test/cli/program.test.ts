import { describe, expect, test } from 'vitest';
import { isServerCommand } from '../../bin/launcher.js';
import { SERVER_COMMANDS } from '../../bin/server-commands.js';
import { EXIT_INTERRUPTED } from '../../src/cli/errors.ts';
import { EXIT_CODES } from '../../src/cli/program.ts';
import { hostler } from '../harness/programs/cli.ts';

/** The subcommands of a command in the order of its help. */
async function subcommands(command: string): Promise<readonly string[]> {
  const { stdout } = await hostler(`__complete -- ${command} ""`);
  return stdout
    .split('\n')
    .flatMap(line => line.split('\t')[0] || [])
    .filter(name => name !== 'help');
}

test('the help lists every exit code', async () => {
  const [, codes = ''] = /\nExit codes: ([^.]*)\./.exec((await hostler('--help')).stdout) ?? [];
  expect(codes.match(/\d+/g)).toEqual([...Object.values(EXIT_CODES), EXIT_INTERRUPTED].map(String));
});

describe('server commands', () => {
  test.each([
    ['serve --listen 127.0.0.1:0', true],
    ['constructor', false],
    ['help doctor', true],
    ['audit verify --expect x', true],
    ['help audit verify', true],
    ['audit list', false],
    ['audit', false],
    ['verify', false],
    ['--debug serve', false],
    ['', false],
  ])('isServerCommand(%j) is %s', (line, expected) => {
    expect(isServerCommand(line.split(' '))).toBe(expected);
  });

  test.each(Object.keys(SERVER_COMMANDS))('%s after an option fails with the correct syntax', async path => {
    for (const line of [`-o json ${path}`, `--debug ${path} more --config x --help`])
      expect(await hostler(line), line).toMatchObject({
        exitCode: 2,
        stdout: '',
        stderr: expect.stringContaining(
          `is a server command. Put it first, followed by its options: hostler ${path} [options]\n`,
        ),
      });
  });

  test('have their own section in the help', async () => {
    const { stdout } = await hostler('audit --help');
    expect(stdout).toMatch(/Server commands \(run on the server machine\):\n {2}verify /);
    expect((await hostler('--help')).stdout).toMatch(/Server commands \(run on the server machine\):\n {2}serve /);
  });
});

describe('every command group', () => {
  test('has its subcommands in one order: create, add, list, show, others, remove', async () => {
    const first = ['create', 'add', 'list', 'show'];
    for (const group of await subcommands('')) {
      const verbs = await subcommands(group);
      const others = verbs.filter(verb => ![...first, 'remove'].includes(verb));
      const inOrder = [...first, ...others, 'remove'].filter(verb => verbs.includes(verb));
      expect(verbs, group).toEqual(inOrder);
    }
    expect(await subcommands('host')).toContain('remove');
  });
});
