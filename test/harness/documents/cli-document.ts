import type { Argument, Command, Option } from 'commander';
import { createProgram } from '../../../src/cli/main.ts';
import { SERVER_COMMANDS } from '../../../src/cli/program.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import { systemClock } from '../../../src/lib/time/clock.ts';
import { flagName, settingKeys } from '../../../src/server/configuration/settings.ts';
import { createServerProgram } from '../../../src/server/main.ts';
import { code, table } from './markdown-table.ts';

/** Somewhere to say nothing to. */
const nowhere: Terminal = {
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
  onInterrupt: () => () => {},
  run: async () => 0,
};

const choicesOf = ({ argChoices }: Option | Argument) =>
  argChoices ? `; one of ${argChoices.map(choice => `\`${choice}\``).join(', ')}` : '';

const defaultOf = ({ defaultValue, defaultValueDescription }: Option | Argument) =>
  defaultValue === undefined || defaultValue === false || `${defaultValue}` === ''
    ? ''
    : `; default \`${defaultValueDescription ?? String(defaultValue)}\``;

/** An argument or an option, as a row of a table has it. */
interface Parameter {
  readonly flags: string;
  readonly meaning: string;
}

const describeArgument = (argument: Argument): Parameter => ({
  flags: code(argument.name()),
  meaning: `${argument.description}${choicesOf(argument)}${defaultOf(argument)}`,
});

const describeOption = (option: Option): Parameter => ({
  flags: code(option.flags),
  meaning: `${option.description}${choicesOf(option)}${defaultOf(option)}`,
});

/** Commands on the server machine have this flag, and with it one for each setting; those are explained elsewhere. */
const takesSettings = ({ options }: Command) => options.some(({ long }) => long === '--config');
const isSetting = ({ long }: Option) =>
  long === '--config' || settingKeys.some(key => flagName(key) === long);

const shownOptions = (command: Command) =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(option => !(takesSettings(command) && isSetting(option)) && option.long !== '--help');

const shownCommands = (command: Command) =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter(each => each.name() !== 'help' && !isStub(each));

/** The whole name, without that of the program. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent?.parent ? `${pathOf(parent)} ${command.name()}` : command.name();
}

function usageOf(command: Command): string {
  const args = command.registeredArguments.map(argument => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  const takesMore = shownOptions(command).length > 0 || takesSettings(command);
  return ['hostler', pathOf(command), ...args, ...(takesMore ? ['[options]'] : [])].join(' ');
}

function verbsOf(command: Command): readonly Command[] {
  const below = shownCommands(command);
  return below.length === 0 ? [command] : below.flatMap(verbsOf);
}

/** Arguments that must be given, and are named by what they are, need no explanation. */
const MAX_PLAIN_WORDS = 6;
const needsMeaning = ({ required, description }: Argument) =>
  !required || description.split(' ').length > MAX_PLAIN_WORDS;

/** Each parameter of the commands once, with the commands that have it. */
function parametersOf(verbs: readonly Command[]): readonly { parameter: Parameter; commands: Command[] }[] {
  const found = new Map<string, { parameter: Parameter; commands: Command[] }>();
  for (const command of verbs)
    for (const parameter of [
      ...command.registeredArguments.filter(needsMeaning).map(describeArgument),
      ...shownOptions(command).map(describeOption),
    ]) {
      const key = parameter.flags + parameter.meaning;
      const entry = found.get(key) ?? { parameter, commands: [] };
      entry.commands.push(command);
      found.set(key, entry);
    }
  return [...found.values()];
}

const nounOf = (command: Command) => pathOf(command).split(' ')[0];

/** Options that commands of at least this number of groups have are described once for all. */
const MIN_SHARING_GROUPS = 3;

const isShared = ({ commands }: { readonly commands: readonly Command[] }) =>
  new Set(commands.map(nounOf)).size >= MIN_SHARING_GROUPS;

const listOf = (commands: readonly Command[]) => commands.map(command => code(pathOf(command))).join(', ');

const sharedParameters = (program: Command) => parametersOf(verbsOf(program)).filter(isShared);

/** A table of the options that stand alone, and one for each set of commands with several options in common. */
function describeShared(program: Command): string {
  const groups = [...Map.groupBy(sharedParameters(program), ({ commands }) => listOf(commands))] as const;
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
  const taking = verbs.filter(takesSettings);
  if (taking.length === 0) return [];
  const subject = taking.length === verbs.length ? '' : ` of ${listOf(taking)}`;
  return [`Each [setting](configuration.md#all-settings) is also an option${subject}.`, ''];
};

/** A section for commands that have a noun in common, or for single commands that follow each other. */
function describeGroup(nouns: readonly Command[], program: Command): string[] {
  const verbs = nouns.flatMap(verbsOf);
  const shared = new Set(
    sharedParameters(program).map(({ parameter: { flags, meaning } }) => flags + meaning),
  );
  const own = parametersOf(verbs).filter(({ parameter: { flags, meaning } }) => !shared.has(flags + meaning));
  const shortName = (command: Command) =>
    nouns.length > 1 ? pathOf(command) : pathOf(command).split(' ').slice(1).join(' ');
  const commandsCell = (commands: readonly Command[]) =>
    commands.length === verbs.length ? 'all' : commands.map(each => code(shortName(each))).join(', ');
  const rows = own.map(({ parameter, commands }) =>
    verbs.length === 1
      ? [parameter.flags, parameter.meaning]
      : [parameter.flags, commandsCell(commands), parameter.meaning],
  );
  const heads = ['Argument or option', ...(verbs.length === 1 ? [] : ['Commands']), 'Meaning'];
  return [
    `### ${nouns.map(noun => noun.name()).join(', ')}`,
    '',
    tableOrSentence(
      ['Command', 'Description'],
      verbs.map(verb => [code(usageOf(verb)), verb.description()]),
    ),
    '',
    ...settingsNote(verbs),
    ...(rows.length > 0 ? [tableOrSentence(heads, rows), ''] : []),
  ];
}

/** A table with one row is a sentence: its first cells, and what they mean. */
const tableOrSentence = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const [only = []] = rows;
  if (rows.length !== 1) return table(heads, rows);
  const [name = '', ...rest] = only;
  const commands = rest.length > 1 ? ` of ${rest[0]}` : '';
  return `${name}${commands === ' of all' ? '' : commands}: ${rest.at(-1)}.`;
};

/** Single commands that follow each other share a section, and nouns with the same verbs. */
const groupsOf = (nouns: readonly Command[]): readonly Command[][] =>
  nouns.reduce<Command[][]>((groups, noun) => {
    const last = groups.at(-1);
    const verbNames = (each: Command | undefined) =>
      each &&
      shownCommands(each)
        .map(verb => verb.name())
        .join();
    if (verbNames(noun) === verbNames(last?.at(-1))) last?.push(noun);
    else groups.push([noun]);
    return groups;
  }, []);

const client = createProgram(nowhere, '0.0.0');
const server = createServerProgram();

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** The client names them; the server's part of the document explains them. */
const isStub = (command: Command) =>
  rootOf(command) === client && Object.hasOwn(SERVER_COMMANDS, pathOf(command));

const describeCommands = (program: Command) =>
  groupsOf(shownCommands(program))
    .flatMap(nouns => describeGroup(nouns, program))
    .join('\n')
    .trimEnd();

export const clientCommands = (): string => describeCommands(client);

/** One section, without a heading of its own. */
export const serverCommands = (): string =>
  describeGroup(shownCommands(server), server).slice(2).join('\n').trimEnd();

export const sharedOptions = (): string => describeShared(client);

export const commonOptions = (): string =>
  table(
    ['Option', 'Meaning'],
    shownOptions(client)
      .map(describeOption)
      .map(({ flags, meaning }) => [flags, meaning]),
  );

/** The variables that the options of the client name. */
export const clientVariables = (): readonly string[] => [
  ...new Set(client.options.flatMap(({ description }) => description.match(/HOSTLER_[A-Z_]+/g) ?? [])),
];

const flagsOf = (command: Command): readonly string[] => [
  ...command.options.flatMap(({ long }) => long ?? []),
  ...command.commands.flatMap(flagsOf),
];

/** The long flags of all commands of the client. */
export const clientFlags = (): ReadonlySet<string> => new Set(flagsOf(client));

const isOf = (command: Command, word: string) => command.name() === word || command.aliases().includes(word);

const knows = (command: Command, flag: string): boolean =>
  command.options.some(({ long, short }) => long === flag || short === flag) ||
  (command.parent !== null && knows(command.parent, flag));

/** What a line that begins with `hostler` has and the program has not: a command, or a flag. Words in capitals stand for others. */
export function unknownIn(line: string): readonly string[] {
  const words = line.split(/\s+/).filter(word => !/^[A-Z…[<'"]/.test(word));
  const [first = ''] = words;
  const program = Object.keys(SERVER_COMMANDS).some(name => line.startsWith(name)) ? server : client;
  let command: Command | undefined = program.commands.find(each => isOf(each, first));
  if (command === undefined) return first === '' || first.startsWith('-') ? [] : [first];
  for (const word of words.slice(1)) {
    const below: Command | undefined = command.commands.find(each => isOf(each, word));
    if (below === undefined) break;
    command = below;
  }
  const own = command;
  const [ours = ''] = line.split(' -- ');
  return ours
    .split(/\s+/)
    .filter(word => /^--?[a-z]/.test(word))
    .map(word => word.replace(/[=,].*$/, ''))
    .filter(flag => !knows(own, flag) && flag !== '--help');
}
