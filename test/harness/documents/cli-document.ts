import type { Argument, Command, Option } from 'commander';
import { makeProgram } from '../../../src/cli/main.ts';
import type { Terminal } from '../../../src/cli/terminal.ts';
import { systemClock } from '../../../src/lib/time/clock.ts';
import { SERVER_COMMANDS } from '../../../src/program/server-commands.ts';
import { makeServerProgram } from '../../../src/server/commands/main.ts';
import { flagName, settingKeys } from '../../../src/server/configuration/settings.ts';
import { code, table } from './markdown-table.ts';

/** Somewhere to say nothing to. */
const nowhere: Terminal = {
  ...{
    isInteractive: false,
    canMove: false,
    columns: 80,
    rows: 24,
    hasColour: false,
    canAsk: false,
    isHeard: false,
  },
  environment: {},
  clock: systemClock,
  write: () => {},
  tell: () => {},
  ask: async () => '',
  readInput: async () => '',
  onInterrupt: () => () => {},
  run: async () => 0,
};

/** Nothing where there are no rows. */
const tableIfAny = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  rows.length === 0 ? [] : ['', table(heads, rows)];

const choicesOf = ({ argChoices }: Option | Argument) =>
  argChoices ? `; one of ${argChoices.map(choice => `\`${choice}\``).join(', ')}` : '';

const defaultOf = ({ defaultValue, defaultValueDescription }: Option | Argument) =>
  defaultValue === undefined || defaultValue === false || `${defaultValue}` === ''
    ? ''
    : `; default \`${defaultValueDescription ?? String(defaultValue)}\``;

const argumentRow = (argument: Argument) => [
  code(argument.name()),
  `${argument.description}${choicesOf(argument)}${defaultOf(argument)}`,
];

const optionRow = (option: Option) => [
  code(option.flags),
  `${option.description}${choicesOf(option)}${defaultOf(option)}`,
];

/** Commands on the server's machine have this flag, and with it one for each setting; those are explained elsewhere. */
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

/** A command that does something; nouns only have verbs below them. */
function describeVerb(command: Command): string[] {
  return [
    `**\`${usageOf(command)}\`**: ${command.description()}.`,
    ...(takesSettings(command) ? ['Each [setting](configuration.md#all-settings) is an option too.'] : []),
    ...tableIfAny(['argument', 'meaning'], command.registeredArguments.map(argumentRow)),
    ...tableIfAny(['option', 'meaning'], shownOptions(command).map(optionRow)),
    '',
  ];
}

function verbsOf(command: Command): readonly Command[] {
  const below = shownCommands(command);
  return below.length === 0 ? [command] : below.flatMap(verbsOf);
}

const describeNoun = (command: Command): string[] => [
  `### ${command.name()}`,
  '',
  ...(shownCommands(command).length > 0 ? [`${command.description()}.`, ''] : []),
  ...verbsOf(command).flatMap(describeVerb),
];

const client = makeProgram(nowhere, '0.0.0');
const server = makeServerProgram();

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** The client names them; the server's part of the document explains them. */
const isStub = (command: Command) =>
  rootOf(command) === client && Object.hasOwn(SERVER_COMMANDS, pathOf(command));

export const clientCommands = (): string => shownCommands(client).flatMap(describeNoun).join('\n').trimEnd();

export const serverCommands = (): string => shownCommands(server).flatMap(describeNoun).join('\n').trimEnd();

export const commonOptions = (): string => table(['option', 'meaning'], shownOptions(client).map(optionRow));

/** The variables that the options of the client name. */
export const clientVariables = (): readonly string[] => [
  ...new Set(client.options.flatMap(({ description }) => description.match(/HOSTLER_[A-Z_]+/g) ?? [])),
];

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
