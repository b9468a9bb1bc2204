// Rejects unknown commands. For commands of kubectl, docker and gh, the error names the command of Hostler.

import type { Command } from 'commander';
import { hasCommand } from './aliases.ts';
import { usageError } from './errors.ts';

/** The commands to use instead of a command that Hostler does not have. The longest key that matches is used. */
export const SUGGESTIONS: Readonly<Record<string, readonly string[]>> = {
  apply: ['upgrade CLUSTER', 'cluster policy CLUSTER --policy FILE'],
  auth: ['login URL'],
  'auth logout': ['logout'],
  'auth status': ['user show'],
  cancel: ['operation cancel OPERATION'],
  config: ['context list'],
  'config current-context': ['context show'],
  'config use-context': ['context use CONTEXT'],
  'config view': ['context show'],
  cordon: ['host maintenance HOST on'],
  drain: ['restart CLUSTER --hosts HOST', 'host maintenance HOST on'],
  edit: ['cluster policy CLUSTER'],
  exec: ['host ssh HOST -- COMMAND'],
  label: ['host label HOST KEY=VALUE'],
  node: ['host list'],
  patch: ['cluster policy CLUSTER'],
  ps: ['host list', 'operation list'],
  reboot: ['restart CLUSTER'],
  rerun: ['operation retry OPERATION'],
  retry: ['operation retry OPERATION', 'host retry HOST'],
  rollout: ['restart CLUSTER', 'operation show OPERATION'],
  'rollout history': ['operation list --cluster CLUSTER'],
  'rollout pause': ['operation pause OPERATION'],
  'rollout restart': ['restart CLUSTER'],
  'rollout resume': ['operation resume OPERATION'],
  'rollout status': ['operation follow OPERATION'],
  'rollout undo': ['deploy CLUSTER --version VERSION'],
  run: ['operation list'],
  'run cancel': ['operation cancel OPERATION'],
  'run rerun': ['operation retry OPERATION'],
  'run view': ['operation show OPERATION'],
  'run watch': ['operation follow OPERATION'],
  scale: ['cluster join CLUSTER HOST'],
  ssh: ['host ssh HOST'],
  status: ['host status HOST', 'operation show OPERATION'],
  uncordon: ['host maintenance HOST off'],
  watch: ['operation follow OPERATION', 'events'],
  'cluster status': ['cluster show CLUSTER'],
  'host cordon': ['host maintenance HOST on'],
  'host drain': ['restart CLUSTER --hosts HOST', 'host maintenance HOST on'],
  'host enrol': ['host add HOST'],
  'host enroll': ['host add HOST'],
  'host exec': ['host ssh HOST -- COMMAND'],
  'host reboot': ['restart CLUSTER --hosts HOST'],
  'host restart': ['restart CLUSTER --hosts HOST'],
  'host uncordon': ['host maintenance HOST off'],
  'operation history': ['operation list'],
  'operation rerun': ['operation retry OPERATION'],
  'operation rollback': ['deploy CLUSTER --version VERSION'],
  'operation start': ['restart CLUSTER', 'upgrade CLUSTER', 'deploy CLUSTER --version VERSION'],
  'operation status': ['operation show OPERATION'],
  'operation stop': ['operation cancel OPERATION'],
  'operation undo': ['deploy CLUSTER --version VERSION'],
  'operation view': ['operation show OPERATION'],
  'operation watch': ['operation follow OPERATION'],
};

/** Verbs that kubectl and docker put before the noun. */
const LEADING_VERBS = ['get', 'list', 'ls', 'describe', 'show', 'inspect', 'create', 'add', 'delete', 'remove', 'rm'];

/** The group that a noun such as `nodes` means. */
function findGroup(program: Command, noun: string): Command | undefined {
  const singular = noun.replace(/s$/, '');
  const name = ['no', 'node'].includes(singular) ? 'host' : singular;
  return program.commands.find(command => command.name() === name && command.commands.length > 0);
}

/** `host list` for `get nodes`, and `host show` for `get node web-1` and `inspect web-1`. */
function reverseWords(program: Command, [verb = '', noun = '', name]: readonly string[]): readonly string[] {
  if (!LEADING_VERBS.includes(verb)) return [];
  if (program.commands.some(command => command.name() === noun && command.commands.length === 0)) return [noun];
  // Most users of `get NOUN` and `inspect NAME` look for hosts. A verb that changes another kind of record needs another command.
  const isReading = ['get', 'list', 'ls', 'inspect'].includes(verb) && name === undefined;
  const group = findGroup(program, noun) ?? (isReading ? findGroup(program, 'host') : undefined);
  const word = verb === 'inspect' ? 'show' : verb === 'get' && name === undefined ? 'list' : verb;
  const command = group?.commands.find(candidate => [candidate.name(), ...candidate.aliases()].includes(word));
  return group && command ? [`${group.name()} ${command.name()}`] : [];
}

/** Global options can come before a command. */
function skipOptions(program: Command, argv: readonly string[]): readonly string[] {
  const [first = ''] = argv;
  if (!first.startsWith('-')) return argv;
  const takesValue = program.options.some(({ short, long, required }) => required && [short, long].includes(first));
  return skipOptions(program, argv.slice(takesValue ? 2 : 1));
}

/** Also rejects an unknown command with `--help`, for which Commander would show the help of its parent. */
export function rejectUnknownCommand(program: Command, argv: readonly string[]): void {
  const words = skipOptions(program, argv);
  const [first, second = '-'] = words;
  if (first === undefined) return;
  const group = program.commands.find(command => command.name() === first);
  const isUnknownGroup = !hasCommand(program, first);
  const isUnknownSubcommand =
    group !== undefined && group.commands.length > 0 && !(second.startsWith('-') || hasCommand(group, second));
  if (!isUnknownGroup && !isUnknownSubcommand) return;
  const optionIndex = words.findIndex(word => word.startsWith('-'));
  const plainWords = optionIndex < 0 ? words : words.slice(0, optionIndex);
  const known = [`${first} ${second}`, first].find(path => Object.hasOwn(SUGGESTIONS, path));
  const suggestions = known === undefined ? reverseWords(program, plainWords) : (SUGGESTIONS[known] ?? []);
  const path = isUnknownSubcommand ? `${first} ${second}` : (known ?? first);
  if (suggestions.length > 0) {
    const commands = suggestions.map(suggestion => `hostler ${suggestion}`).join(' or ');
    throw usageError(`unknown command '${path}'. Did you mean: ${commands}?`);
  }
  if (argv.includes('--help') || argv.includes('-h'))
    throw usageError(
      `unknown command '${path}'. List the commands with: hostler ${isUnknownSubcommand ? `${first} ` : ''}--help`,
    );
}
