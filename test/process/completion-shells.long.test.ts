// Completion with the Tab key in real shells.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { asAdmin, createHome } from '../harness/programs/cli.ts';
import { openTerminal } from '../harness/programs/open-terminal.ts';
import { installHostlerScript } from '../harness/programs/process.ts';
import { startTestService } from '../harness/service.ts';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';

/** Starts a service with records to complete, and returns the environment for a shell. */
async function makeEnvironment(): Promise<Readonly<Record<string, string>>> {
  const service = await startTestService('sqlite');
  onTestFinished(() => service.stop());
  await service.put('/api/v0/cluster/web', { network: 'default' });
  await service.makeHosts('active', 'web', '2001:db8::17');
  const HOME = await createHome();
  const BIN = installHostlerScript(HOME);
  return { ...asAdmin(service.url), HOME, BIN, PATH: `${BIN}:${process.env['PATH']}` };
}

describeWithPrograms('completion in shells', ['tmux', 'zsh', 'fish'], () => {
  test.each([
    ['bash', 'bash --norc', 'source <(hostler completion bash)'],
    ['zsh', 'zsh -f', 'autoload -Uz compinit; compinit -D; source <(hostler completion zsh)'],
  ])('%s completes commands, choices, names and files', async (_name, shell, setUp) => {
    const environment = await makeEnvironment();
    const terminal = openTerminal(environment, shell);
    // The terminal has the PATH of the process that opened it.
    await terminal.type(`PS1='> '; PATH=$BIN:$PATH; ${setUp}; echo re''ady`, 'Enter');
    await terminal.waitForText(/^ready$/m);
    const lines: readonly [string, RegExp][] = [
      ['hostler cluster set', /^> hostler cluster set-hosts$/m],
      ['hostler cluster show w', /^> hostler cluster show web$/m],
      ['hostler host list --output=j', /^> hostler host list --output=json$/m],
      ['hostler host show 2001:d', /^> hostler host show 2001:db8::17$/m],
      ['hostler host list --ca-file /etc/hostnam', /^> hostler host list --ca-file \/etc\/hostname$/m],
    ];
    for (const [typed, completed] of lines) {
      await terminal.type(typed, 'Tab');
      await terminal.waitForText(completed);
      await terminal.type('C-u', 'C-l');
    }
  });

  test('fish completes commands, choices, names and files', async () => {
    const environment = await makeEnvironment();
    const script = `
      hostler completion fish | source
      for line in 'cluster set' 'cluster show w' 'host list --output=j' 'host show 2001:d' 'host list --ca-file /etc/hostnam'
        complete -C "hostler $line"
      end
    `;
    const { stdout } = await promisify(execFile)('fish', ['--no-config', '-c', script], { env: environment });
    expect(stdout.split('\n').map(line => line.split('\t')[0])).toEqual([
      'set-hosts',
      'web',
      '--output=json',
      '2001:db8::17',
      '/etc/hostname',
      '',
    ]);
  });
});
