// Suggests completions from the Commander definitions and the names of `name-sources.ts`. Invariant: it never
// fails or prints messages, because the user is typing.

import type { Argument, Command, Option } from 'commander';
import { Help } from 'commander';

/** Matching words, or `files` if the shell must complete file names. */
export type Suggestions = readonly Suggestion[] | 'files';

export interface CursorPosition {
  readonly command: Command;
  readonly pendingOption: Option | undefined;
  readonly args: readonly string[];
  /** False after `--`. */
  readonly hasOptions: boolean;
}

const getAncestors = (command: Command): readonly Command[] =>
  command.parent === null ? [command] : [command, ...getAncestors(command.parent)];

function findValueOption(command: Command, flag: string): Option | undefined {
  const options = getAncestors(command).flatMap(ancestor => ancestor.options);
  const found = options.find(({ long, short }) => long === flag || short === flag);
  return found?.required || found?.optional ? found : undefined;
}

export function locateCursor(program: Command, words: readonly string[]): CursorPosition {
  let [command, hasOptions] = [program, true];
  let pendingOption: Option | undefined;
  const args: string[] = [];
  for (const word of words) {
    if (pendingOption) pendingOption = undefined;
    else if (hasOptions && word === '--') hasOptions = false;
    else if (hasOptions && word.startsWith('-')) pendingOption = findValueOption(command, word);
    else {
      const next = command.commands.find(subcommand => [subcommand.name(), ...subcommand.aliases()].includes(word));
      if (next) command = next;
      else args.push(word);
    }
  }
  return { command, pendingOption, args, hasOptions };
}

const toSuggestions = (words: readonly string[]): readonly Suggestion[] =>
  words.map(word => ({ word, description: '' }));

/** A comma-separated list of hosts, the last one incomplete. */
async function completeList(prefix: string, lookup: NameLookup): Promise<readonly Suggestion[]> {
  const completed = prefix.slice(0, prefix.lastIndexOf(',') + 1);
  const listedWords = completed.split(',');
  const found = await lookup('hosts', prefix.slice(completed.length));
  return found
    .filter(({ word }) => !listedWords.includes(word))
    .map(({ word, description }) => ({ word: `${completed}${word}`, description }));
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
  if (option.flags.includes('<hosts>')) return completeList(prefix, lookup);
  const name = (option.long ?? '').replace(/^--/, '');
  // The types depend on the kind of record.
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
  // The user chooses the name of a new record.
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

async function findCandidates(position: CursorPosition, current: string, lookup: NameLookup): Promise<Suggestions> {
  if (position.pendingOption) return completeOptionValue(position.pendingOption, position.command, current, lookup);
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (position.hasOptions && flag !== undefined && value !== undefined) {
    const option = findValueOption(position.command, flag);
    const found = option ? await completeOptionValue(option, position.command, value, lookup) : [];
    return found === 'files' ? found : found.map(({ word, description }) => ({ word: `${flag}=${word}`, description }));
  }
  if (position.hasOptions && current.startsWith('-')) return listOptions(position.command);
  if (position.command.commands.length === 0) return completeArgument(position, current, lookup);
  // No suggestions after an unknown command.
  return position.args.length === 0 ? listCommands(position.command) : [];
}

export async function suggest(program: Command, words: readonly string[], lookup: NameLookup): Promise<Suggestions> {
  const current = words.at(-1) ?? '';
  const found = await findCandidates(locateCursor(program, words.slice(0, -1)), current, lookup);
  return found === 'files' ? found : found.filter(({ word }) => word.startsWith(current));
}

export interface Suggestion {
  readonly word: string;
  readonly description: string;
}

/** Returns the names for an argument or option; empty if there are none or the server does not respond. */
export type NameLookup = (kind: string, prefix: string) => Promise<readonly Suggestion[]>;
