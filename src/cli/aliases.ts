// Verbs that users of kubectl, docker and gh type.

import type { Command } from 'commander';
import { insertMethod } from './commands/api.ts';
import { locateCursor } from './completion/suggest.ts';
import { removeEqualsSigns } from './program.ts';

/** Of each verb. If two verbs of a group have the same alias, the first one here gets it. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  status: ['describe'],
  show: ['get', 'describe'],
  list: ['ls'],
  create: ['add'],
  add: ['create'],
  remove: ['rm', 'delete'],
};

export const hasCommand = (parent: Command, word: string): boolean =>
  word === 'help' || parent.commands.some(command => command.name() === word || command.aliases().includes(word));

export function addAliases(program: Command): void {
  for (const group of program.commands)
    for (const [verb, aliases] of Object.entries(ALIASES)) {
      const command = group.commands.find(candidate => candidate.name() === verb);
      for (const alias of aliases) if (command && !hasCommand(group, alias)) command.alias(alias);
    }
}

/** `get` without a name lists all records, as in kubectl. `--version` is an option of deploy, so it counts only first. */
export function replaceAliases(program: Command, originalArgv: readonly string[]): readonly string[] {
  const argv = removeEqualsSigns(originalArgv);
  const [first = '', second, ...rest] = argv;
  if (['-v', '--version'].includes(first)) return ['version', ...argv.slice(1)];
  const group = program.commands.find(command => command.name() === first);
  if (second !== 'get' || group === undefined || !hasCommand(group, 'list')) return insertMethod(program, argv);
  const listing = [first, 'list', ...rest];
  const isHelp = rest.includes('-h') || rest.includes('--help');
  return isHelp || locateCursor(program, listing).args.length > 0 ? argv : listing;
}
