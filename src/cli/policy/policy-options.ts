import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Weekday } from '../../domain/vocabulary.ts';
import {
  LABEL_KEY_MESSAGE,
  LABEL_KEY_PATTERN,
  LABEL_VALUE_PATTERN,
  ON_FAILURE_ACTIONS,
  REBOOT_MODES,
  UNHEALTHY_MODES,
  WEEKDAYS,
} from '../../domain/vocabulary.ts';
import { parseCommand } from '../../sdk/format.ts';
import { collectHostList, parseList } from '../input/host-arguments.ts';
import { parseDurationSeconds, parseInteger, parsePositiveInteger } from '../input/option-parsers.ts';

function parseCountOrPercentage(text: string): number | string {
  if (/^\d{1,3}%$/.test(text)) return text;
  if (!/^\d+$/.test(text))
    throw new InvalidArgumentError('It must be a whole number or a percentage, for example 3 or 25%.');
  return parseInteger(text);
}

const LABEL_FILTER = new RegExp(`^${LABEL_KEY_PATTERN}(=${LABEL_VALUE_PATTERN})?$`);

/** The syntax of kubectl: `zone=a,ring`. */
export function parseLabelFilters(text: string, previous: readonly string[] = []): readonly string[] {
  const labels = parseList(text);
  if (labels.length === 0 || !labels.every(label => LABEL_FILTER.test(label)))
    throw new InvalidArgumentError(`It must be key=value or key. The key ${LABEL_KEY_MESSAGE}.`);
  return [...previous, ...labels];
}

/** Splits a command at spaces, without a shell. A JSON array allows spaces in arguments. */
function parseHealthCheckCommand(text: string): readonly string[] {
  const words = parseCommand(text);
  if (words === undefined) throw new InvalidArgumentError('It must be a JSON array of strings.');
  if (words.length === 0) throw new InvalidArgumentError('It must be a command. Use --no-check for none.');
  return words;
}

function parseTimeout(text: string, previous?: Readonly<Record<string, number>>): Record<string, number> {
  const [, part, duration = ''] = /^(stage|apply|reboot|ready)=(.+)$/.exec(text) ?? [];
  if (part === undefined)
    throw new InvalidArgumentError(
      'It must be PART=DURATION, for example reboot=10m. The parts are stage, apply, reboot and ready.',
    );
  return { ...previous, [part]: parseDurationSeconds(duration) };
}

const DAYS: readonly string[] = WEEKDAYS;
const findDayIndex = (text: string): number => DAYS.indexOf(text.toLowerCase());

/** `sat`, or a range such as `fri-mon`, which can cross the end of the week. */
function parseDays(text: string): readonly Weekday[] {
  const [first = -1, last = first] = text.split('-').map(findDayIndex);
  if (first < 0 || last < 0)
    throw new InvalidArgumentError(`Unknown day "${text}". The days are ${WEEKDAYS.join(', ')}.`);
  const length = ((last - first + WEEKDAYS.length) % WEEKDAYS.length) + 1;
  return Array.from({ length }, (_, index) => WEEKDAYS[(first + index) % WEEKDAYS.length] as Weekday);
}

const WINDOW = /^(\S+)\s+((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)\s+(\S+)$/;

function parseWindow(text: string): object {
  const [, days, start, end, zone] = WINDOW.exec(text.trim()) ?? [];
  if (days === undefined) throw new InvalidArgumentError('It must look like "mon-fri,sun 22:00-04:00 Europe/Berlin".');
  return { days: [...new Set(parseList(days).flatMap(parseDays))], start, end, zone };
}

/** Options of `withPolicyOptions`. The others are read by the camel-case names of `POLICY_FLAGS`. */
export interface PolicyFlags {
  readonly policy?: string;
  /** Addresses or hostnames. */
  readonly hosts?: readonly string[];
  readonly order?: readonly string[];
  /** Commander sets it to `true` unless `--no-drain` is given. */
  readonly drain?: boolean;
  readonly drainTimeout?: number;
  readonly drainForce?: true;
}

export function withPolicyOptions(
  command: Command,
  heading = 'Policy (default: the policy of the cluster, then the built-in defaults):',
): Command {
  return command
    .optionsGroup(heading)
    .option(
      '--max-unavailable <n>',
      'Maximum number of unavailable members at the same time, for example 3 or 25%',
      parseCountOrPercentage,
    )
    .option('--canary <n>', 'Number of hosts to start first; the others wait until these are healthy', parseInteger)
    .option('--ramp', 'Start with 1 host at a time, then 2, 4, … up to --max-unavailable')
    .option('--no-ramp', 'Disable the ramp')
    .addOption(
      new Option(
        '--unhealthy <rule>',
        'Whether hosts that are already unavailable count against --max-unavailable, or are excluded from the operation',
      ).choices(UNHEALTHY_MODES),
    )
    .option(
      '--max-excluded <n>',
      'With --unhealthy exclude: maximum number of excluded hosts, for example 3 or 10%; the operation fails if more are unavailable',
      parseCountOrPercentage,
    )
    .option('--wait-for-hosts', 'Wait for hosts that are already unavailable instead of failing at once')
    .option('--no-wait-for-hosts', 'Fail at once if unavailable hosts use all slots')
    .option('--max-failures <n>', 'Maximum number of failed hosts, for example 2 or 5%', parseCountOrPercentage)
    .addOption(
      new Option('--on-failure <action>', 'Action if more than --max-failures hosts fail').choices(ON_FAILURE_ACTIONS),
    )
    .option('--hosts <hosts>', 'Only these members, by address or hostname (comma-separated)', collectHostList)
    .option(
      '-l, --label <key=value>',
      'Only members with these labels, key=value or key (comma-separated or repeatable; all must match)',
      parseLabelFilters,
    )
    .option('--order <hosts>', 'Members to start first, in this order (comma-separated)', collectHostList)
    .option('--stage-parallel <n>', 'Maximum number of hosts that download at the same time', parsePositiveInteger)
    .addOption(new Option('--reboot <when>', 'When to reboot hosts; never is only for upgrade').choices(REBOOT_MODES))
    .option(
      '--check <command>',
      'Health check command, which must exit with 0 on a healthy host; a JSON array if an argument contains spaces',
      parseHealthCheckCommand,
    )
    .option('--no-check', 'Run no health check command')
    .option('--min-healthy <duration>', 'Time that a host must stay healthy before it is done', parseDurationSeconds)
    .option(
      '--window <when>',
      'Start hosts only in this window, for example "mon-fri 22:00-04:00 Europe/Berlin"',
      parseWindow,
    )
    .option('--no-window', 'Start hosts at any time')
    .option('--no-drain', 'Do not drain nodes')
    .option('--drain-timeout <duration>', 'Maximum time to drain a node', parseDurationSeconds)
    .option('--drain-force', 'Force the drain after the timeout')
    .option(
      '--timeout <part=duration>',
      'Time limit on each host for stage, apply, reboot or ready, for example reboot=10m (repeatable)',
      parseTimeout,
    )
    .option('--policy <file>', 'Read the policy from a file, YAML or JSON (`-` for stdin); flags override its fields')
    .optionsGroup('Options:');
}
