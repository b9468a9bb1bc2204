import type { Command } from 'commander';
import { Argument } from 'commander';
import { sanitizeLine } from '../../lib/sanitize.ts';
import type { ActionBuilder } from '../actions.ts';
import { addCommand } from '../actions.ts';
import { createNameLookup } from '../completion/name-sources.ts';
import type { Shell } from '../completion/scripts.ts';
import { SCRIPTS } from '../completion/scripts.ts';
import { suggest } from '../completion/suggest.ts';
import type { ContextFlags } from '../contexts/resolve-context.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Parses the context flags from an incomplete command line, which may be invalid elsewhere. */
function parseContextFlags(words: readonly string[]): ContextFlags {
  const values = (flag: string) =>
    words.flatMap((word, index) => {
      if (word.startsWith(`${flag}=`)) return [word.slice(flag.length + 1)];
      const next = words[index + 1];
      return word === flag && next !== undefined ? [next] : [];
    });
  const server = values('--server');
  return {
    context: values('--context')[0],
    server: server.length === 0 ? undefined : server,
    user: values('--user')[0],
    caFile: values('--ca-file')[0],
  };
}

async function complete(program: Command, terminal: Terminal, words: readonly string[]): Promise<void> {
  const suggestions = await suggest(program, words, createNameLookup(terminal, parseContextFlags(words.slice(0, -1))));
  if (suggestions === 'files') terminal.writeOut(':files\n');
  else
    terminal.writeOut(
      suggestions.map(({ word, description }) => `${sanitizeLine(word)}\t${sanitizeLine(description)}\n`).join(''),
    );
}

export function addCompletionCommands(program: Command, cli: ActionBuilder): void {
  addCommand(program, 'completion', 'Print a shell completion script')
    .addArgument(new Argument('<shell>', 'Shell').choices(Object.keys(SCRIPTS)))
    .addHelpText(
      'after',
      `
bash, in ~/.bashrc:                   source <(hostler completion bash)
zsh, in ~/.zshrc, after compinit:     source <(hostler completion zsh)
fish:                                 hostler completion fish > ~/.config/fish/completions/hostler.fish

Names of hosts, clusters and other records come from the server that you are logged in to.
`,
    )
    .action(cli.withoutSession(async ({ terminal }, _options, shell: Shell) => terminal.writeOut(SCRIPTS[shell])));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(
      cli.withoutSession(({ terminal }, _options, words: readonly string[]) => complete(program, terminal, words)),
    );
}
