import { describe, expect, test } from 'vitest';
import { isServerCommand, SERVER_COMMAND_NAMES } from '../../bin/launcher.js';
import { EXIT_INTERRUPTED } from '../../src/cli/errors.ts';
import { EXIT_CODES, SERVER_COMMANDS } from '../../src/cli/program.ts';
import { hostler } from '../harness/programs/cli.ts';

/** The commands below one, in the order of its help. */
async function below(command: string): Promise<readonly string[]> {
  const { stdout } = await hostler(`__complete -- ${command} ""`);
  return stdout
    .split('\n')
    .flatMap(line => line.split('\t')[0] || [])
    .filter(word => word !== 'help');
}

test('the help lists every exit code', async () => {
  const [, codes = ''] = /\nExit codes: ([^.]*)\./.exec((await hostler('--help')).stdout) ?? [];
  expect(codes.match(/\d+/g)).toEqual([...Object.values(EXIT_CODES), EXIT_INTERRUPTED].map(String));
});

describe('commands of the server machine', () => {
  test('are those that the program looks for', () => {
    expect(SERVER_COMMAND_NAMES).toEqual(Object.keys(SERVER_COMMANDS));
  });

  test.each([
    ['serve --listen 127.0.0.1:0', true],
    ['help doctor', true],
    ['audit verify --expect x', true],
    ['help audit verify', true],
    ['audit list', false],
    ['audit', false],
    ['verify', false],
    ['--debug serve', false],
    ['', false],
  ])('%j is one: %s', (line, expected) => {
    expect(isServerCommand(line.split(' '))).toBe(expected);
  });

  test.each(Object.keys(SERVER_COMMANDS))(
    '%s behind an option ends with what to type instead',
    async path => {
      for (const line of [`-o json ${path}`, `--debug ${path} more --config x --help`])
        expect(await hostler(line), line).toMatchObject({
          exitCode: 2,
          stdout: '',
          stderr: expect.stringContaining(
            `is a server command. Put it first, followed by its options: hostler ${path} [options]\n`,
          ),
        });
    },
  );

  test('are in the help, apart from the others', async () => {
    const { stdout } = await hostler('audit --help');
    expect(stdout).toMatch(/Server commands \(run on the server machine\):\n {2}verify /);
    expect((await hostler('--help')).stdout).toMatch(
      /Server commands \(run on the server machine\):\n {2}serve /,
    );
  });
});

describe('every noun', () => {
  test('has its verbs in one order: make, list, show, what is its own, remove', async () => {
    const first = ['create', 'add', 'list', 'show'];
    for (const noun of await below('')) {
      const verbs = await below(noun);
      const own = verbs.filter(verb => ![...first, 'remove'].includes(verb));
      const inOrder = [...first, ...own, 'remove'].filter(verb => verbs.includes(verb));
      expect(verbs, noun).toEqual(inOrder);
    }
    expect(await below('host')).toContain('remove');
  });
});
