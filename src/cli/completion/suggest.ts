// What could come next on a command line that is being typed. It knows the commands as Commander has them, and asks `sources.ts` for
// names. What must hold: it never fails and never says anything else, since somebody is in the middle of typing.

import type { Argument, Command, Option } from 'commander';
import { Help } from 'commander';
import type { Names, Suggestion } from './suggestion.ts';

/** A word that fits, and what it is; or that the shell is to offer files. */
export type Suggestions = readonly Suggestion[] | 'files';

/** Where in the commands somebody is. */
interface Place {
  readonly command: Command;
  /** An option that waits for its value. */
  readonly waiting: Option | undefined;
  /** Arguments of the command that are there already. */
  readonly given: readonly string[];
  /** Behind `--` there are no options. */
  readonly hasOptions: boolean;
}

const upwards = (command: Command): readonly Command[] =>
  command.parent === null ? [command] : [command, ...upwards(command.parent)];

const optionNamed = (command: Command, flag: string): Option | undefined =>
  upwards(command)
    .flatMap(each => each.options)
    .find(option => option.long === flag || option.short === flag);

const takesValue = (option: Option) => option.required || option.optional;

/** Goes through what was typed before the word in question. */
function find(program: Command, words: readonly string[]): Place {
  let place: Place = { command: program, waiting: undefined, given: [], hasOptions: true };
  for (const word of words) {
    if (place.waiting) place = { ...place, waiting: undefined };
    else if (place.hasOptions && word === '--') place = { ...place, hasOptions: false };
    else if (place.hasOptions && word.startsWith('-')) {
      const option = optionNamed(place.command, word);
      place = { ...place, waiting: option && takesValue(option) ? option : undefined };
    } else {
      const next = place.command.commands.find(each => each.name() === word || each.aliases().includes(word));
      place = next ? { ...place, command: next } : { ...place, given: [...place.given, word] };
    }
  }
  return place;
}

const bare = (words: readonly string[]): readonly Suggestion[] => words.map(word => ({ word, about: '' }));

/** Addresses with commas between: the last one is not whole yet. */
async function listed(typed: string, names: Names): Promise<readonly Suggestion[]> {
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const given = before.split(',');
  const found = await names('addresses', typed.slice(before.length));
  return found
    .filter(({ word }) => !given.includes(word))
    .map(({ word, about }) => ({ word: `${before}${word}`, about }));
}

async function valuesOf(option: Option, command: Command, typed: string, names: Names): Promise<Suggestions> {
  if (option.argChoices) return bare(option.argChoices);
  if (option.flags.includes('<file>')) return 'files';
  if (option.flags.includes('<key=file>')) return typed.includes('=') ? 'files' : [];
  if (option.flags.includes('<addresses>')) return listed(typed, names);
  const name = (option.long ?? '').replace(/^--/, '');
  // What types there are depends on what it is the type of.
  return names(name === 'type' ? `${command.parent?.name()}-type` : name, typed);
}

async function argumentsFor({ command, given }: Place, typed: string, names: Names): Promise<Suggestions> {
  const all: readonly Argument[] = command.registeredArguments;
  const next = all[given.length] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  if (next === undefined) return [];
  if (next.argChoices) return bare(next.argChoices);
  if (next.name() === 'file') return 'files';
  // What is to be created has a name that nobody knows yet.
  if (['create', 'add'].includes(command.name())) return [];
  const found = await names(next.name(), typed);
  return found.filter(({ word }) => !given.includes(word));
}

const optionsOf = (command: Command): readonly Suggestion[] => {
  const help = new Help();
  help.showGlobalOptions = true;
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].flatMap(option =>
    option.long ? [{ word: option.long, about: option.description }] : [],
  );
};

const commandsOf = (command: Command): readonly Suggestion[] =>
  new Help().visibleCommands(command).map(each => ({ word: each.name(), about: each.description() }));

async function candidates(place: Place, current: string, names: Names): Promise<Suggestions> {
  if (place.waiting) return valuesOf(place.waiting, place.command, current, names);
  const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  if (place.hasOptions && flag !== undefined && value !== undefined) {
    const option = optionNamed(place.command, flag);
    const found = option && takesValue(option) ? await valuesOf(option, place.command, value, names) : [];
    return found === 'files' ? found : found.map(({ word, about }) => ({ word: `${flag}=${word}`, about }));
  }
  if (place.hasOptions && current.startsWith('-')) return optionsOf(place.command);
  if (place.command.commands.length === 0) return argumentsFor(place, current, names);
  // Behind a word that is no command nothing fits.
  return place.given.length === 0 ? commandsOf(place.command) : [];
}

/** What fits in the place of the last of these words, which may be empty. */
export async function suggest(
  program: Command,
  words: readonly string[],
  names: Names,
): Promise<Suggestions> {
  const current = words.at(-1) ?? '';
  const found = await candidates(find(program, words.slice(0, -1)), current, names);
  return found === 'files' ? found : found.filter(({ word }) => word.startsWith(current));
}
