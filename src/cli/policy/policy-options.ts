// The flags of policy fields, and `--policy` for a file. They define only the syntax; the server applies the rules.

import type { Command } from 'commander';
import { Option } from 'commander';
import { ON_FAILURE_ACTIONS, REBOOT_MODES, UNHEALTHY_MODES } from '../../domain/vocabulary.ts';
import { parseSeconds } from '../durations.ts';
import { readCount, readWholeNumber } from '../read-number.ts';
import { readAmount, readCheck, readLabelFilter, readList, readTimeout, readWindow } from './policy-words.ts';

export interface PolicyFlags {
  readonly policy?: string;
  readonly maxUnavailable?: number | string;
  readonly canary?: number;
  readonly ramp?: boolean;
  readonly unhealthy?: string;
  readonly maxExcluded?: number | string;
  readonly waitForHosts?: boolean;
  readonly maxFailures?: number | string;
  readonly onFailure?: string;
  readonly hosts?: readonly string[];
  readonly label?: readonly string[];
  readonly order?: readonly string[];
  readonly stageParallel?: number;
  readonly reboot?: string;
  readonly check?: readonly string[] | false;
  readonly minHealthy?: number;
  readonly window?: object | false;
  /** Commander sets it to `true` unless `--no-drain` is given. */
  readonly drain?: boolean;
  readonly drainTimeout?: number;
  readonly drainForce?: true;
  readonly timeout?: Readonly<Record<string, number>>;
}

const read = (flags: string, description: string, parser: (text: string) => unknown) =>
  new Option(flags, description).argParser(parser);

/** Comma-separated values of an option that may be repeated. */
export const listed = (text: string, before: readonly string[] | undefined) => [
  ...(before ?? []),
  ...readList(text),
];

export function withPolicyOptions(
  command: Command,
  heading = 'Policy (default: the policy of the cluster, then the built-in defaults):',
): Command {
  return command
    .optionsGroup(heading)
    .addOption(
      read(
        '--max-unavailable <n>',
        'Maximum number of unavailable members at the same time, for example 3 or 25%',
        readAmount,
      ),
    )
    .addOption(
      read(
        '--canary <n>',
        'Number of hosts to start first; the others wait until these are healthy',
        readWholeNumber,
      ),
    )
    .option('--ramp', 'Start with 1 host at a time, then 2, 4, … up to --max-unavailable')
    .option('--no-ramp', 'Disable the ramp')
    .addOption(
      new Option(
        '--unhealthy <rule>',
        'Whether hosts that are already unavailable count against --max-unavailable, or are excluded from the operation',
      ).choices(UNHEALTHY_MODES),
    )
    .addOption(
      read(
        '--max-excluded <n>',
        'With --unhealthy exclude: maximum number of excluded hosts, for example 3 or 10%; the operation fails if more are unavailable',
        readAmount,
      ),
    )
    .option('--wait-for-hosts', 'Wait for hosts that are already unavailable instead of failing at once')
    .option('--no-wait-for-hosts', 'Fail at once if unavailable hosts use all slots')
    .addOption(read('--max-failures <n>', 'Maximum number of failed hosts, for example 2 or 5%', readAmount))
    .addOption(
      new Option('--on-failure <action>', 'Action if more than --max-failures hosts fail').choices(
        ON_FAILURE_ACTIONS,
      ),
    )
    .addOption(new Option('--hosts <addresses>', 'Only these members (comma-separated)').argParser(listed))
    .option(
      '-l, --label <key=value>',
      'Only members with this label, key=value or key (repeatable; all must match)',
      readLabelFilter,
    )
    .addOption(
      new Option('--order <addresses>', 'Members to start first, in this order (comma-separated)').argParser(
        listed,
      ),
    )
    .addOption(
      read('--stage-parallel <n>', 'Maximum number of hosts that download at the same time', readCount),
    )
    .addOption(
      new Option('--reboot <when>', 'When to reboot hosts; never is only for upgrade').choices(REBOOT_MODES),
    )
    .addOption(
      read(
        '--check <command>',
        'Health check command, which must exit with 0 on a healthy host; a JSON array if an argument contains spaces',
        readCheck,
      ),
    )
    .option('--no-check', 'Run no health check command')
    .addOption(
      read('--min-healthy <duration>', 'Time that a host must stay healthy before it is done', parseSeconds),
    )
    .addOption(
      read(
        '--window <when>',
        'Start hosts only in this window, for example "mon-fri 22:00-04:00 Europe/Berlin"',
        readWindow,
      ),
    )
    .option('--no-window', 'Start hosts at any time')
    .option('--no-drain', 'Do not drain nodes')
    .addOption(read('--drain-timeout <duration>', 'Maximum time to drain a node', parseSeconds))
    .option('--drain-force', 'Force the drain after the timeout')
    .addOption(
      new Option(
        '--timeout <part=duration>',
        'Time limit on each host for stage, apply, reboot or ready, for example reboot=10m (repeatable)',
      ).argParser(readTimeout),
    )
    .option(
      '--policy <file>',
      'Read the policy from a file, YAML or JSON (`-` for stdin); flags override its fields',
    )
    .optionsGroup('Options:');
}
