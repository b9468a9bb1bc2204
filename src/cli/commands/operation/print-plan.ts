import type { Static } from 'typebox';
import { effectOfBlockedStart } from '../../../client/blocking-hosts.ts';
import { shownCommand } from '../../../client/command-words.ts';
import { deedOf, deedsOf } from '../../../client/operation-words.ts';
import { duration } from '../../../client/times.ts';
import type { DryRun } from '../../../contract/routes/cluster-operations.ts';
import type { HostPhase } from '../../../domain/vocabulary.ts';
import { harmless, LONGEST_SENTENCE } from '../../../lib/text/harmless.ts';
import { plural } from '../../../lib/text/plural.ts';
import { serverText } from '../../output/server-text.ts';
import { statusStyle } from '../../output/status-style.ts';
import type { Column } from '../../output/table.ts';
import type { Session } from '../../session.ts';
import { blockedReason, outageLines, startFlags } from './blocked-start.ts';

type Plan = Static<typeof DryRun>;
type PlannedHost = Plan['hosts'][number];

const BOOT_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The next step for a host that the operation cannot work on because it has failed. */
function nextStep({ address, state: { status, reason } }: Pick<PlannedHost, 'address' | 'state'>): string {
  if (status !== 'failed' || /^unsupported_os\b/.test(reason)) return '';
  return /^host_key_changed\b/.test(reason)
    ? `. Run: hostler host accept-key ${address}`
    : `. Fix the cause, then run: hostler host retry ${address}`;
}

export const problemText = (host: Pick<PlannedHost, 'address' | 'state' | 'problem'>): string => {
  const { problem = '' } = host;
  return /^not_ready\b/.test(problem) ? `${problem}${nextStep(host)}` : problem;
};

const COLUMNS: readonly Column<PlannedHost & { readonly order: number }>[] = [
  { header: 'ORDER', of: ({ order }) => String(order), isRight: true },
  { header: 'HOST', of: ({ address }) => address },
  { header: 'STATUS', of: ({ state }) => state.status, style: ({ state }) => statusStyle(state.status) },
  { header: 'OS', of: ({ state }) => state.os },
  { header: 'CONTROL PLANE', of: host => (host.control_plane ? 'yes' : ''), isWide: true },
  {
    header: 'ACTIONS',
    of: host => (host.problem === undefined ? deedsOf(host.commands) : `✗ ${problemText(host)}`),
    style: ({ problem }) => (problem === undefined ? undefined : 'bad'),
    isCuttable: true,
  },
];

/** The boot ID differs from host to host; with a placeholder, equal commands are printed once. */
const withoutBootId = (text: string) => text.replace(BOOT_ID, '<boot id>');

interface Script {
  readonly lines: readonly string[];
  readonly args: readonly string[];
}

/** The script of `sh -c SCRIPT sh ARGUMENTS…` if it has several lines. */
function scriptOf(argv: readonly string[]): Script | undefined {
  const [shell, flag, script = '', _name, ...args] = argv;
  if (shell !== 'sh' || flag !== '-c' || !script.includes('\n')) return undefined;
  return { lines: script.trimEnd().split('\n'), args };
}

/** A script that runs its arguments as a command. */
const RUNS_ARGUMENTS = /(?:^\s*|\$\(|\bexec )"\$@"/m;

function commandText(
  { phase, argv }: { readonly phase: HostPhase; readonly argv: readonly string[] },
  isWide: boolean,
): string {
  const script = scriptOf(argv);
  if (script === undefined) return withoutBootId(shownCommand(argv));
  const isReboot = phase === 'armed';
  const name = `${isReboot ? 'reboot' : 'shell'} script (${plural(script.lines.length, 'line')})`;
  if (script.args.length === 0) return name;
  const args = withoutBootId(shownCommand(script.args));
  if (!isReboot && RUNS_ARGUMENTS.test(script.lines.join('\n'))) return `${name} that runs: ${args}`;
  return isWide ? `${name}, arguments: ${args}` : name;
}

/** Scripts are long and the same for all hosts: only `-o wide` prints them. */
function linesOf({ commands }: PlannedHost, isWide: boolean): string {
  const width = Math.max(0, ...commands.map(({ phase }) => deedOf(phase).length));
  const indent = ' '.repeat(width + 6);
  return commands
    .map(({ phase, argv, detail }) => {
      const note = argv === null || detail === '' ? detail : ` (${detail})`;
      const text = `${argv === null ? '' : commandText({ phase, argv }, isWide)}${note}`;
      const script = (isWide && argv !== null && scriptOf(argv)?.lines) || [];
      return [
        `  ${deedOf(phase).padEnd(width)}  ${harmless(text, LONGEST_SENTENCE)}\n`,
        ...script.map(line => `${indent}${harmless(line, LONGEST_SENTENCE)}`.trimEnd().concat('\n')),
      ].join('');
    })
    .join('');
}

function commandsOf(hosts: readonly PlannedHost[], isWide: boolean): string {
  const able = hosts.filter(({ commands }) => commands.length > 0);
  return [...Map.groupBy(able, host => linesOf(host, isWide))]
    .map(([lines, [first, ...others]]) => {
      const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other host')}`;
      return `\nCommands on ${first?.address}${more}:\n${lines}`;
    })
    .join('');
}

/** What the operation would do if it were started now, and with which flags it would start. */
async function verdictOf({ client }: Pick<Session, 'client'>, plan: Plan): Promise<string> {
  const { kind, cluster, hosts, would_start, blocked_by = [], policy, detail } = plan;
  const note = harmless(serverText(detail), LONGEST_SENTENCE);
  const noteLine = note === '' ? '' : `Note: ${note}\n`;
  const what = `Dry run: this ${kind} would`;
  if (would_start !== false) {
    const problems = hosts.filter(({ problem }) => problem !== undefined).length;
    const failing = problems === 0 ? '' : ` (${plural(problems, 'host')} with a problem)`;
    return `${what} start now on ${plural(hosts.length, 'host')}${failing}.\nNothing was changed.\n${noteLine}`;
  }
  if (blocked_by.length === 0)
    return `${what} not start now${note === '' ? '' : `: ${note}`}\nNothing was changed.\n`;
  const effect = effectOfBlockedStart(policy);
  const end =
    effect === 'wait' ? `wait up to ${duration(policy.timeouts.ready * 1000)}` : `${effect} at once`;
  const members = (await client.getCluster({ name: cluster })).body.hosts.total;
  const outages = outageLines(blocked_by).map(line => `  ${line}\n`);
  return [
    `${what} ${end}: ${blockedReason(plan, members)}.\n`,
    'Nothing was changed.\n',
    ...[noteLine, 'Unavailable hosts:\n', ...outages],
    effect === 'wait' ? '' : `Flags that help:${startFlags(plan, members)}\n`,
  ].join('');
}

/** Prints the response to a dry run. */
export async function printPlan(session: Session, plan: Plan): Promise<void> {
  const { print, terminal } = session;
  if (!print.isForPeople) return print.done('', { value: plan, name: plan.cluster });
  const { hosts } = plan;
  const isWide = print.format === 'wide';
  const rows = hosts.map((host, index) => ({ ...host, order: index + 1 }));
  terminal.tell(`${await verdictOf(session, plan)}\n`);
  if (rows.length > 0) terminal.write(print.table(rows, COLUMNS));
  terminal.write(commandsOf(hosts, isWide));
  const hasHiddenScripts =
    !isWide && hosts.some(({ commands }) => commands.some(({ argv }) => argv !== null && scriptOf(argv)));
  if (hasHiddenScripts) terminal.tell('\nPrint the scripts with -o wide.\n');
}
