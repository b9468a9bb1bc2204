import type { Argument, Command, Option } from 'commander';
import { SERVER_COMMANDS } from '../../../bin/server-commands.js';
import { createProgram } from '../../../src/cli/main.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import { rejectUnknownCommand } from '../../../src/cli/unknown-commands.ts';
import { errorMessage } from '../../../src/lib/errors.ts';
import { systemClock } from '../../../src/lib/time/clock.ts';
import { flagName, settingKeys } from '../../../src/server/configuration/settings.ts';
import { createServerProgram } from '../../../src/server/main.ts';
import { code, table } from './markdown.ts';

const nullTerminal: Terminal = {
  ...{
    isStdoutTty: false,
    supportsCursor: false,
    columns: 80,
    rows: 24,
    hasColor: false,
    canPrompt: false,
    isStderrTty: false,
  },
  environment: {},
  clock: systemClock,
  writeOut: () => {},
  writeErr: () => {},
  prompt: async () => '',
  readStdin: async () => '',
  lookup: async () => [],
  onInterrupt: () => () => {},
  run: async () => 0,
};

const formatChoices = ({ argChoices }: Option | Argument) =>
  argChoices ? `; one of ${argChoices.map(choice => `\`${choice}\``).join(', ')}` : '';

const formatDefault = ({ defaultValue, defaultValueDescription }: Option | Argument) =>
  defaultValue === undefined || defaultValue === false || `${defaultValue}` === ''
    ? ''
    : `; default \`${defaultValueDescription ?? String(defaultValue)}\``;

interface Parameter {
  readonly flags: string;
  readonly meaning: string;
}

const describeArgument = (argument: Argument): Parameter => ({
  flags: code(argument.name()),
  meaning: `${argument.description}${formatChoices(argument)}${formatDefault(argument)}`,
});

const describeOption = (option: Option): Parameter => ({
  flags: code(option.flags),
  meaning: `${option.description}${formatChoices(option)}${formatDefault(option)}`,
});

/** Server commands have this flag and one flag per setting, which the configuration reference describes. */
const takesSettings = ({ options }: Command) => options.some(({ long }) => long === '--config');
const isSetting = ({ long }: Option) => long === '--config' || settingKeys.some(key => flagName(key) === long);

const visibleOptions = (command: Command) =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(option => !(takesSettings(command) && isSetting(option)) && option.long !== '--help');

const visibleCommands = (command: Command) =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter(entry => entry.name() !== 'help' && !isStub(entry));

/** Command path without the program name. */
function commandPath(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${commandPath(parent)} ${command.name()}` : command.name();
}

function formatUsage(command: Command): string {
  const args = command.registeredArguments.map(argument => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const hasOptions = visibleOptions(command).length > 0 || takesSettings(command);
  return ['hostler', commandPath(command), ...args, ...(hasOptions ? ['[options]'] : [])].join(' ');
}

function listVerbs(command: Command): readonly Command[] {
  const nested = visibleCommands(command);
  return nested.length === 0 ? [command] : nested.flatMap(listVerbs);
}

/** Required arguments with a short description need no row. */
const MAX_PLAIN_WORDS = 6;
const needsMeaning = ({ required, description }: Argument) =>
  !required || description.split(' ').length > MAX_PLAIN_WORDS;

/** Each parameter once, with the commands that have it. */
function collectParameters(verbs: readonly Command[]): readonly { parameter: Parameter; commands: Command[] }[] {
  const found = new Map<string, { parameter: Parameter; commands: Command[] }>();
  for (const command of verbs)
    for (const parameter of [
      ...command.registeredArguments.filter(needsMeaning).map(describeArgument),
      ...visibleOptions(command).map(describeOption),
    ]) {
      const key = parameter.flags + parameter.meaning;
      const entry = found.get(key) ?? { parameter, commands: [] };
      entry.commands.push(command);
      found.set(key, entry);
    }
  return [...found.values()];
}

const getNoun = (command: Command) => commandPath(command).split(' ')[0];

/** Options that occur in at least this number of groups have a common table. */
const MIN_SHARING_GROUPS = 3;

const isShared = ({ commands }: { readonly commands: readonly Command[] }) =>
  new Set(commands.map(getNoun)).size >= MIN_SHARING_GROUPS;

const formatCommandList = (commands: readonly Command[]) =>
  commands.map(command => code(commandPath(command))).join(', ');

const sharedParameters = (program: Command) => collectParameters(listVerbs(program)).filter(isShared);

/** One table of single options, and one for each set of commands that share several options. */
function describeShared(program: Command): string {
  const groups = [...Map.groupBy(sharedParameters(program), ({ commands }) => formatCommandList(commands))] as const;
  const alone = groups.filter(([, entries]) => entries.length === 1);
  return [
    table(
      ['Argument or option', 'Commands', 'Meaning'],
      alone.flatMap(([commands, entries]) =>
        entries.map(({ parameter }) => [parameter.flags, commands, parameter.meaning]),
      ),
    ),
    ...groups
      .filter(([, entries]) => entries.length > 1)
      .map(
        ([commands, entries]) =>
          `${commands}:\n\n${table(
            ['Option', 'Meaning'],
            entries.map(({ parameter }) => [parameter.flags, parameter.meaning]),
          )}`,
      ),
  ].join('\n\n');
}

const settingsNote = (verbs: readonly Command[]) => {
  const withSettings = verbs.filter(takesSettings);
  if (withSettings.length === 0) return [];
  const subject = withSettings.length === verbs.length ? '' : ` of ${formatCommandList(withSettings)}`;
  return [`Each [setting](configuration.md#all-settings) is also an option${subject}.`, ''];
};

/** A section for commands with a common noun, or for consecutive single commands. */
function describeGroup(nouns: readonly Command[], program: Command): string[] {
  const verbs = nouns.flatMap(listVerbs);
  const shared = new Set(sharedParameters(program).map(({ parameter: { flags, meaning } }) => flags + meaning));
  const ownParameters = collectParameters(verbs).filter(
    ({ parameter: { flags, meaning } }) => !shared.has(flags + meaning),
  );
  const shortName = (command: Command) =>
    nouns.length > 1 ? commandPath(command) : commandPath(command).split(' ').slice(1).join(' ');
  const commandsCell = (commands: readonly Command[]) =>
    commands.length === verbs.length ? 'all' : commands.map(entry => code(shortName(entry))).join(', ');
  const rows = ownParameters.map(({ parameter, commands }) =>
    verbs.length === 1
      ? [parameter.flags, parameter.meaning]
      : [parameter.flags, commandsCell(commands), parameter.meaning],
  );
  const headings = ['Argument or option', ...(verbs.length === 1 ? [] : ['Commands']), 'Meaning'];
  return [
    `### ${nouns.map(noun => noun.name()).join(', ')}`,
    '',
    tableOrSentence(
      ['Command', 'Description'],
      verbs.map(verb => [code(formatUsage(verb)), verb.description()]),
    ),
    '',
    ...settingsNote(verbs),
    ...(rows.length > 0 ? [tableOrSentence(headings, rows), ''] : []),
  ];
}

/** A table with one row becomes a sentence. */
const tableOrSentence = (headings: readonly string[], rows: readonly (readonly string[])[]): string => {
  const [cells = []] = rows;
  if (rows.length !== 1) return table(headings, rows);
  const [name = '', ...rest] = cells;
  const commands = rest.length > 1 ? ` of ${rest[0]}` : '';
  return `${name}${commands === ' of all' ? '' : commands}: ${rest.at(-1)}.`;
};

/** Consecutive nouns with the same verbs share a section. */
const groupNouns = (nouns: readonly Command[]): readonly Command[][] =>
  nouns.reduce<Command[][]>((groups, noun) => {
    const last = groups.at(-1);
    const verbNames = (entry: Command | undefined) =>
      entry &&
      visibleCommands(entry)
        .map(verb => verb.name())
        .join();
    if (verbNames(noun) === verbNames(last?.at(-1))) last?.push(noun);
    else groups.push([noun]);
    return groups;
  }, []);

const client = createProgram(nullTerminal, '0.0.0');
const server = createServerProgram();

const getRoot = (command: Command): Command => (command.parent === null ? command : getRoot(command.parent));

/** Server commands that the client only lists. */
const isStub = (command: Command) =>
  getRoot(command) === client && Object.hasOwn(SERVER_COMMANDS, commandPath(command));

const describeCommands = (program: Command) =>
  groupNouns(visibleCommands(program))
    .flatMap(nouns => describeGroup(nouns, program))
    .join('\n')
    .trimEnd();

export const clientCommands = (): string => describeCommands(client);

export const serverCommands = (): string =>
  describeGroup(visibleCommands(server), server).slice(2).join('\n').trimEnd();

export const sharedOptions = (): string => describeShared(client);

export const commonOptions = (): string =>
  table(
    ['Option', 'Meaning'],
    visibleOptions(client)
      .map(describeOption)
      .map(({ flags, meaning }) => [flags, meaning]),
  );

/** Environment variables in the descriptions of the client options. */
export const clientVariables = (): readonly string[] => [
  ...new Set(client.options.flatMap(({ description }) => description.match(/HOSTLER_[A-Z_]+/g) ?? [])),
];

const listFlags = (command: Command): readonly string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  ...command.commands.flatMap(listFlags),
];

export const clientFlags = (): ReadonlySet<string> => new Set(listFlags(client));

const matchesName = (command: Command, word: string) => command.name() === word || command.aliases().includes(word);

const hasFlag = (command: Command, flag: string): boolean =>
  command.options.some(({ long, short }) => long === flag || short === flag) ||
  (command.parent !== null && hasFlag(command.parent, flag));

/** The command of a line without aliases, and the words after it: `host show` and `web-1` for `host get web-1`. */
export function splitCommand(line: string): { readonly command: string; readonly rest: readonly string[] } {
  const [first = '', ...rest] = line.split(/\s+/);
  let command: Command | undefined = client.commands.find(entry => matchesName(entry, first));
  while (command !== undefined) {
    const nested: Command | undefined = command.commands.find(entry => matchesName(entry, rest[0] ?? ''));
    if (nested === undefined) break;
    rest.shift();
    command = nested;
  }
  return { command: command === undefined ? '' : commandPath(command), rest };
}

/** The commands in the error for an unknown command; empty if the command exists, or if the error names none. */
export function suggestedCommands(line: string): readonly string[] {
  try {
    rejectUnknownCommand(client, line.split(/\s+/));
    return [];
  } catch (error) {
    const [, list = ''] = /Did you mean: (.*)\?$/.exec(errorMessage(error)) ?? [];
    return [...list.matchAll(/hostler (.*?)(?= or hostler |$)/g)].map(([, command = '']) => command);
  }
}

/** Commands and flags in a `hostler` line that do not exist. Words in capitals are placeholders. */
export function findUnknownWords(line: string): readonly string[] {
  const words = line.split(/\s+/).filter(word => !/^[A-Z…[<'"]/.test(word));
  const [first = ''] = words;
  const program = Object.keys(SERVER_COMMANDS).some(name => line.startsWith(name)) ? server : client;
  let command: Command | undefined = program.commands.find(entry => matchesName(entry, first));
  if (command === undefined) return first === '' || first.startsWith('-') ? [] : [first];
  for (const word of words.slice(1)) {
    const nested: Command | undefined = command.commands.find(entry => matchesName(entry, word));
    if (nested === undefined) break;
    command = nested;
  }
  const matched = command;
  const [hostlerPart = ''] = line.split(' -- ');
  return hostlerPart
    .split(/\s+/)
    .filter(word => /^--?[a-z]/.test(word))
    .map(word => word.replace(/[=,].*$/, ''))
    .filter(flag => !hasFlag(matched, flag) && flag !== '--help');
}
