import type { Command } from 'commander';
import { usageProblem } from './cli-problem.ts';

/** Commands that people type, and what they mean. Commander finds only those that are spelled alike. */
const MEANT: Readonly<Record<string, string>> = {
  'host enrol': 'host add',
  'host enroll': 'host add',
  'webhook add': 'webhook create',
  'cluster status': 'cluster show',
};

const isCommandOf = (parent: Command, word: string): boolean =>
  word === 'help' ||
  parent.commands.some(command => command.name() === word || command.aliases().includes(word));

/** Rejects an unknown command that has a hint, and one with `--help`, for which Commander shows the help of its parent. */
export function rejectUnknownCommand(program: Command, argv: readonly string[]): void {
  const [first = '-', second = '-'] = argv;
  const noun = program.commands.find(command => command.name() === first);
  const isUnknownNoun = !(first.startsWith('-') || isCommandOf(program, first));
  const isUnknownVerb =
    noun !== undefined && noun.commands.length > 0 && !(second.startsWith('-') || isCommandOf(noun, second));
  if (!isUnknownNoun && !isUnknownVerb) return;
  const path = isUnknownVerb ? `${first} ${second}` : first;
  const meant = MEANT[path];
  if (meant !== undefined) throw usageProblem(`unknown command '${path}'. Did you mean: hostler ${meant}?`);
  if (argv.includes('--help') || argv.includes('-h'))
    throw usageProblem(
      `unknown command '${path}'. List the commands with: hostler ${isUnknownVerb ? `${first} ` : ''}--help`,
    );
}
