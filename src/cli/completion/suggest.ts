// What could come next on a command line that is being typed. It knows the commands as Commander has them, and asks `sources.ts` for
// names. What must hold: it never fails and never says anything else, since somebody is in the middle of typing.

import type { Argument, Command, Option } from 'commander';
import { Help } from 'commander';

/** A word that fits, and what it is; or that the shell is to offer files. */
export type Suggestions = readonly Suggestion[] | 'files';

/** Where in the commands somebody is. */
interface CursorPosition {
  readonly command: Command;
  /** An option that waits for its value. */
  readonly pendingOption: Option | undefined;
  /** Arguments of the command that are there already. */
  readonly args: readonly string[];
  /** Behind `--` there are no options. */
  readonly hasOptions: boolean;
}

const getAncestors = (command: Command): readonly Command[] =>
  command.parent === null ? [command] : [command, ...getAncestors(command.parent)];

const findOption = (command: Command, flag: string): Option | undefined =>
  getAncestors(command)
    .flatMap(ancestor => ancestor.options)
    .find(option => option.long === flag || option.short === flag);

const takesValue = (option: Option) => option.required || option.optional;

/** Goes through what was typed before the word in question. */
function locateCursor(program: Command, words: readonly string[]): CursorPosition {
  let position: CursorPosition = { command: program, pendingOption: undefined, args: [], hasOptions: true };
  for (const word of words) {
    if (position.pendingOption) position = { ...position, pendingOption: undefined };
    else if (position.hasOptions && word === '--') position = { ...position, hasOptions: false };
    else if (position.hasOptions && word.startsWith('-')) {
      const option = findOption(position.command, word);
      position = { ...position, pendingOption: option && takesValue(option) ? option : undefined };
    } else {
      const next = position.command.commands.find(
        subcommand => subcommand.name() === word || subcommand.aliases().includes(word),
      );
      position = next ? { ...position, command: next } : { ...position, args: [...position.args, word] };
    }
  }
  return position;
}

const toSuggestions = (words: readonly string[]): readonly Suggestion[] =>
  words.map(word => ({ word, description: '' }));

/** Addresses with commas between: the last one is not whole yet. */
async function completeList(prefix: string, lookup: NameLookup): Promise<readonly Suggestion[]> {
  const completed = prefix.slice(0, prefix.lastIndexOf(',') + 1);
  const listedWords = completed.split(',');
  const found = await lookup('addresses', prefix.slice(completed.length));
  return found
    .filter(({ word }) => !listedWords.includes(word))
    .map(({ word, description }) => ({ word: `${completed}${word}`, description: description }));
}

async function completeOptionValue(
  option: Option,
  command: Command,
  prefix: string,
  lookup: NameLookup,
): Promise<Suggestions> {
  if (option.argChoices) return toSuggestions(option.argChoices);
  if (option.flags.includes('<file>')) return 'files';
  if (option.flags.includes('<key=file>')) return prefix.includes('=') ? 'files' : [];
  if (option.flags.includes('<addresses>')) return completeList(prefix, lookup);
  const name = (option.long ?? '').replace(/^--/, '');
  // What types there are depends on what it is the type of.
  return lookup(name === 'type' ? `${command.parent?.name()}-type` : name, prefix);
}

async function completeArgument(
  { command, args }: CursorPosition,
  prefix: string,
  lookup: NameLookup,
): Promise<Suggestions> {
  const all: readonly Argument[] = command.registeredArguments;
  const next = all[args.length] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  if (next === undefined) return [];
  if (next.argChoices) return toSuggestions(next.argChoices);
  if (next.name() === 'file') return 'files';
  // What is to be created has a name that nobody knows yet.
  if (['create', 'add'].includes(command.name())) return [];
  const found = await lookup(next.name(), prefix);
  return found.filter(({ word }) => !args.includes(word));
}

const listOptions = (command: Command): readonly Suggestion[] => {
  const help = new Help();
  help.showGlobalOptions = true;
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].flatMap(option =>
    option.long ? [{ word: option.long, description: option.description }] : [],
  );
};

const listCommands = (command: Command): readonly Suggestion[] =>
  new Help()
    .visibleCommands(command)
    .map(subcommand => ({ word: subcommand.name(), description: subcommand.description() }));

async function findCandidates(
  position: CursorPosition,
  current: string,
  lookup: NameLookup,
): Promise<Suggestions> {
  if (position.pendingOption)
    return completeOptionValue(position.pendingOption, position.command, current, lookup);
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (position.hasOptions && flag !== undefined && value !== undefined) {
    const option = findOption(position.command, flag);
    const found =
      option && takesValue(option) ? await completeOptionValue(option, position.command, value, lookup) : [];
    return found === 'files'
      ? found
      : found.map(({ word, description }) => ({ word: `${flag}=${word}`, description: description }));
  }
  if (position.hasOptions && current.startsWith('-')) return listOptions(position.command);
  if (position.command.commands.length === 0) return completeArgument(position, current, lookup);
  // Behind a word that is no command nothing fits.
  return position.args.length === 0 ? listCommands(position.command) : [];
}

/** What fits in the place of the last of these words, which may be empty. */
export async function suggest(
  program: Command,
  words: readonly string[],
  lookup: NameLookup,
): Promise<Suggestions> {
  const current = words.at(-1) ?? '';
  const found = await findCandidates(locateCursor(program, words.slice(0, -1)), current, lookup);
  return found === 'files' ? found : found.filter(({ word }) => word.startsWith(current));
}

export interface Suggestion {
  readonly word: string;
  readonly description: string;
}

/** The names of what an argument or option is called after; none where there are none, or nobody tells. */
export type NameLookup = (kind: string, prefix: string) => Promise<readonly Suggestion[]>;
