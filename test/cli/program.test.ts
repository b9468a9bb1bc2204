import { beforeAll, describe, expect, test } from 'vitest';
import { isServerCommand } from '../../bin/launcher.js';
import { SERVER_COMMANDS } from '../../bin/server-commands.js';
import { EXIT_INTERRUPTED } from '../../src/cli/errors.ts';
import { EXIT_CODES } from '../../src/cli/program.ts';
import { createServerProgram } from '../../src/server/main.ts';
import { describeCli, hostler } from '../harness/programs/cli.ts';
import { runHostler } from '../harness/programs/process.ts';

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

describe('aliases', () => {
  test.each([
    ['host', { add: 'create', list: 'ls', show: 'get', status: 'describe', remove: 'rm delete' }],
    ['cluster', { create: 'add', list: 'ls', show: 'get describe', remove: 'rm delete' }],
    ['operation', { list: 'ls', show: 'get describe' }],
    ['network', { create: 'add', list: 'ls', show: 'get describe', remove: 'rm delete' }],
    ['container-manager', { create: 'add', list: 'ls', show: 'get describe', remove: 'rm delete' }],
    ['token', { create: 'add', list: 'ls', show: 'get describe', remove: 'rm delete' }],
    ['user', { create: 'add', list: 'ls', show: 'get describe', remove: 'rm delete' }],
    ['webhook', { create: 'add', list: 'ls', show: 'get describe', remove: 'rm delete' }],
    ['audit', { list: 'ls' }],
    ['context', { list: 'ls', remove: 'rm delete' }],
    ['driver', { list: 'ls' }],
  ])('of `hostler %s`', async (group, aliases) => {
    for (const [name, words] of Object.entries(aliases))
      for (const word of words.split(' ')) {
        const { stdout, exitCode } = await hostler(`${group} ${word} --help`);
        expect(stdout, `${group} ${word}`).toMatch(new RegExp(`^Usage: hostler ${group} ${name}\\|`));
        expect(exitCode).toBe(0);
      }
  });
});

test('the help of a group starts with its commands, and names the global options', async () => {
  const { stdout } = await hostler('cluster --help');
  expect(stdout).toMatch(/^Usage: .*\n\nManage clusters and their hosts\n\nCommands:\n {2}create\|add /);
  expect(stdout).toMatch(/\nGlobal options: --context, --server, --user, --ca-file, -o\/--output, --debug\.\nSee:/);
  expect(stdout).not.toContain('HOSTLER_CONTEXT');
});

test('the help of the program lists commands before options', async () => {
  const { stdout } = await hostler('--help');
  expect(stdout.indexOf('\nCommands:')).toBeLessThan(stdout.indexOf('\nOptions:'));
  expect(stdout).toContain('HOSTLER_CONTEXT');
});

test.each(['secrets', 'admin', 'audit', ''])('the help of the server program lists commands first: %s', name => {
  const program = createServerProgram();
  const group = program.commands.find(command => command.name() === name) ?? program;
  const help = group.helpInformation();
  expect(help.indexOf('\nCommands:')).toBeGreaterThan(0);
  expect(help.indexOf('\nCommands:')).toBeLessThan(help.indexOf('\nOptions:'));
});

test.each([
  ['version', '0.0.0\n'],
  ['--version', '0.0.0\n'],
  ['version -o json', '{\n  "version": "0.0.0"\n}\n'],
  ['--version -o yaml', 'version: 0.0.0\n'],
])('`hostler %s` prints the version', async (line, stdout) => {
  expect(await hostler(line)).toMatchObject({ exitCode: 0, stdout, stderr: '' });
});

test('the program lists every command and setting in its help, and suggests the help after a wrong command', async () => {
  const help = runHostler(['serve', '--help'], {});
  expect((await help.ended).code).toBe(0);
  for (const text of ['--listen', 'HOSTLER_TRUST_PROXY', '--config', 'HOSTLER_SECRET_KEY'])
    expect(help.stdout).toContain(text);
  expect(help.stdout).not.toContain('--secret-key ');
  const wrong = runHostler(['swerve'], {});
  expect((await wrong.ended).code).toBe(2);
  expect(wrong.stderr).toMatch(
    /^hostler: unknown command 'swerve'\n\(Did you mean serve\?\)\n.*Run with --help for usage/s,
  );
  const wrongSetting = runHostler(['serve', '--lissen', '127.0.0.1:0'], {});
  expect((await wrongSetting.ended).code).toBe(2);
  expect(wrongSetting.stderr).toContain("unknown option '--lissen'");
  const version = runHostler(['--version'], {});
  await version.ended;
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describeCli('`get`', {}, (run, service) => {
  beforeAll(async () => {
    await service().put('/api/v0/cluster/web', { network: 'default' });
    await service().makeHosts('active', 'web', '127.9.7.1');
    await service().makeHosts('failed', undefined, '127.9.7.2');
  });

  test.each([
    ['cluster get', 'cluster list'],
    ['cluster get -o json', 'cluster list -o json'],
    ['host get --cluster web --status active', 'host list --cluster web --status active'],
    ['host get -l zone=a', 'host list -l zone=a'],
    ['cluster get web', 'cluster show web'],
    ['cluster get -o json web', 'cluster show -o json web'],
    ['host get 127.9.7.2', 'host show 127.9.7.2'],
  ])('`hostler %s` is `hostler %s`', async (line, command) => {
    const [aliased, direct] = [await run(line), await run(command)];
    expect(aliased).toEqual(direct);
    expect(aliased.exitCode).toBe(0);
  });
});
