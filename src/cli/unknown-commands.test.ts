import { describe, expect, test } from 'vitest';
import { hostler } from '../../test/harness/programs/cli.ts';
import { SUGGESTIONS } from './unknown-commands.ts';

/** Words in capitals are placeholders. */
const getCommand = (suggestion: string) => suggestion.replace(/ [A-Z-].*$/, '');

describe('rejectUnknownCommand()', () => {
  test.each(Object.entries(SUGGESTIONS))('suggests existing commands for %s', async (words, suggestions) => {
    expect((await hostler(words)).stderr).toContain(`Did you mean: hostler ${suggestions[0]}`);
    for (const suggestion of suggestions) {
      const command = getCommand(suggestion);
      const help = await hostler(`${command} --help`);
      expect([help.stdout.split('\n')[0], help.exitCode], suggestion).toEqual([
        expect.stringMatching(new RegExp(`^Usage: hostler ${command}(?:\\|| |$)`)),
        0,
      ]);
      const options = suggestion.match(/--[a-z]+/g) ?? [];
      for (const option of options) expect(help.stdout, suggestion).toContain(`${option} <`);
    }
  });

  test.each([
    ['get hosts', "unknown command 'get'. Did you mean: hostler host list?"],
    ['get nodes -l zone=a', "unknown command 'get'. Did you mean: hostler host list?"],
    ['get node web-1 --help', "unknown command 'get'. Did you mean: hostler host show?"],
    ['-o json --context x get no', "unknown command 'get'. Did you mean: hostler host list?"],
    ['get', "unknown command 'get'. Did you mean: hostler host list?"],
    ['get pods', "unknown command 'get'. Did you mean: hostler host list?"],
    ['get events', "unknown command 'get'. Did you mean: hostler events?"],
    ['inspect web-1', "unknown command 'inspect'. Did you mean: hostler host show?"],
    ['inspect cluster web', "unknown command 'inspect'. Did you mean: hostler cluster show?"],
    ['describe cluster web', "unknown command 'describe'. Did you mean: hostler cluster show?"],
    ['describe node web-1', "unknown command 'describe'. Did you mean: hostler host status?"],
    ['delete pod x', "unknown command 'delete'\nRun with --help for usage."],
    ['delete cluster web', "unknown command 'delete'. Did you mean: hostler cluster remove?"],
    ['rollout status web', "unknown command 'rollout status'. Did you mean: hostler operation follow OPERATION?"],
    ['apply -f x.yaml', "unknown command 'apply'. Did you mean: hostler upgrade CLUSTER or hostler cluster policy"],
    ['operation rerun web', "unknown command 'operation rerun'. Did you mean: hostler operation retry OPERATION?"],
    ['config use-context a', "unknown command 'config use-context'. Did you mean: hostler context use CONTEXT?"],
  ])('`hostler %s`', async (line, message) => {
    const { exitCode, stdout, stderr } = await hostler(line);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^hostler: [^\n]*\n(Run with --help for usage\.\n)?$/);
    expect(stderr).toContain(message);
  });
});
