import type { Command } from 'commander';
import { Argument } from 'commander';
import { harmless } from '../../lib/text/harmless.ts';
import type { CommandLine } from '../command-line.ts';
import type { Shell } from '../completion/scripts.ts';
import { SCRIPTS } from '../completion/scripts.ts';
import { namesFrom } from '../completion/sources.ts';
import { suggest } from '../completion/suggest.ts';
import type { ContextWish } from '../contexts/context-of.ts';

/** What the line says of whom to ask counts already now, though it is not done and may be wrong elsewhere. */
function said(words: readonly string[]): ContextWish {
  const values = (flag: string) =>
    words.flatMap((word, index) => {
      if (word.startsWith(`${flag}=`)) return [word.slice(flag.length + 1)];
      const next = words[index + 1];
      return word === flag && next !== undefined ? [next] : [];
    });
  const [[context], server, [user], [caFile]] = [
    values('--context'),
    values('--server'),
    values('--user'),
    values('--ca-file'),
  ];
  return {
    ...(context !== undefined && { context }),
    ...(server.length > 0 && { server }),
    ...(user !== undefined && { user }),
    ...(caFile !== undefined && { caFile }),
  };
}

async function complete(
  program: Command,
  { terminal }: CommandLine,
  words: readonly string[],
): Promise<void> {
  // The last word is not whole yet.
  const found = await suggest(program, words, namesFrom(terminal, said(words.slice(0, -1))));
  if (found === 'files') terminal.write(':files\n');
  else terminal.write(found.map(({ word, about }) => `${harmless(word)}\t${harmless(about)}\n`).join(''));
}

export function addCompletionCommands(program: Command, cli: CommandLine): void {
  program
    .command('completion')
    .description('Print a shell completion script')
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
    .action(cli.alone(async (_options: object, shell: Shell) => cli.terminal.write(SCRIPTS[shell])));
  program
    .command('__complete', { hidden: true })
    .argument('[words...]')
    .action(cli.alone((_options: object, words: readonly string[]) => complete(program, cli, words)));
}
