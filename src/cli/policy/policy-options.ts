// The fields of a policy as flags, and as a file. The service has the rules; here is only said how each is written.

import type { Command } from 'commander';
import { Option } from 'commander';
import { FAILURE_RULES, REBOOT_RULES, UNHEALTHY_RULES } from '../../domain/vocabulary.ts';
import { several } from '../command-line.ts';
import { parseSeconds } from '../durations.ts';
import { readWholeNumber } from '../read-number.ts';
import { readAmount, readCheck, readList, readTimeout, readWindow } from './policy-words.ts';

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
  /** Commander makes it `true` unless it is taken away. */
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

export function withPolicyOptions(command: Command): Command {
  return command
    .optionsGroup('Policy (what is left out is as the cluster has it, else the default):')
    .addOption(read('--max-unavailable <n>', 'so many members out of service at once: 3, or 25%', readAmount))
    .addOption(read('--canary <n>', 'so many hosts go first, the rest when all are healthy', readWholeNumber))
    .option('--ramp', 'begin with 1, then 2, 4, … up to --max-unavailable')
    .option('--no-ramp', 'do not')
    .addOption(
      new Option(
        '--unhealthy <rule>',
        'count hosts that are already down against the budget, or exclude them: they use no budget for the rest of the operation',
      ).choices(UNHEALTHY_RULES),
    )
    .addOption(
      read(
        '--max-excluded <n>',
        'with --unhealthy exclude, fail if more hosts are down: 3, or 10%',
        readAmount,
      ),
    )
    .option('--wait-for-hosts', 'wait for hosts that are already down instead of failing at once')
    .option('--no-wait-for-hosts', 'fail at once')
    .addOption(read('--max-failures <n>', 'so many hosts may fail: 2, or 5%', readAmount))
    .addOption(new Option('--on-failure <what>', 'when more have failed').choices(FAILURE_RULES))
    .addOption(new Option('--hosts <addresses>', 'only these members, with commas').argParser(listed))
    .option('-l, --label <key=value>', 'only members with this label; several: with all of them', several)
    .addOption(new Option('--order <addresses>', 'these first, in this order').argParser(listed))
    .addOption(read('--stage-parallel <n>', 'so many hosts may download at once', readWholeNumber))
    .addOption(new Option('--reboot <when>', 'whether hosts are rebooted').choices(REBOOT_RULES))
    .addOption(read('--check <command>', 'must end with 0 on a host: words, or a JSON list', readCheck))
    .option('--no-check', 'ask for none')
    .addOption(read('--min-healthy <duration>', 'how long a host must stay healthy', parseSeconds))
    .addOption(
      read('--window <when>', 'start hosts only then: "mon-fri 22:00-04:00 Europe/Berlin"', readWindow),
    )
    .option('--no-window', 'at any time')
    .option('--no-drain', 'do not move what runs on nodes')
    .addOption(read('--drain-timeout <duration>', 'how long a node may take', parseSeconds))
    .option('--drain-force', 'then by force')
    .addOption(
      new Option(
        '--timeout <part=duration>',
        'stage, apply, reboot or ready: how long that may take',
      ).argParser(readTimeout),
    )
    .option('--policy <file>', 'read all of it from this file, YAML or JSON (-: standard input); flags win')
    .optionsGroup('Options:');
}
