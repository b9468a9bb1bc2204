import type { Static } from 'typebox';
import type { DryRun } from '../../../contract/routes/cluster-operations.ts';
import type { HostPhase } from '../../../domain/vocabulary.ts';
import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../../lib/sanitize.ts';
import { formatCount } from '../../../lib/text.ts';
import { getBlockedStartEffect } from '../../../sdk/blocking-hosts.ts';
import { formatCommand, formatDuration } from '../../../sdk/format.ts';
import { displayName } from '../../../sdk/host-progress.ts';
import { getPhaseAction, summarizeActions } from '../../../sdk/operation-text.ts';
import { describePlan } from '../../../sdk/plan-text.ts';
import { getStatusStyle } from '../../output/format.ts';
import { formatServerText } from '../../output/server-text.ts';
import type { Column } from '../../output/table.ts';
import type { Session } from '../../session.ts';
import { formatBlockedReason, formatOutages, formatStartFlags } from './blocked-start.ts';

type Plan = Static<typeof DryRun>;
type PlannedHost = Plan['hosts'][number];

const BOOT_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function getNextStep({ address, state: { status, reason } }: Pick<PlannedHost, 'address' | 'state'>): string {
  if (status !== 'failed' || /^unsupported_os\b/.test(reason)) return '';
  return /^host_key_changed\b/.test(reason)
    ? `. Run: hostler host accept-key ${address}`
    : `. Fix the cause, then run: hostler host retry ${address}`;
}

export const formatProblem = (host: Pick<PlannedHost, 'address' | 'state' | 'problem'>): string => {
  const { problem = '' } = host;
  return /^not_ready\b/.test(problem) ? `${problem}${getNextStep(host)}` : problem;
};

const COLUMNS: readonly Column<PlannedHost & { readonly order: number }>[] = [
  { header: 'ORDER', value: ({ order }) => String(order), isRightAligned: true },
  { header: 'HOSTNAME', value: ({ hostname }) => hostname || '-' },
  { header: 'ADDRESS', value: ({ address }) => address },
  { header: 'STATUS', value: ({ state }) => state.status, style: ({ state }) => getStatusStyle(state.status) },
  { header: 'OS', value: ({ state }) => state.os },
  { header: 'CONTROL PLANE', value: host => (host.control_plane ? 'yes' : ''), isWideOnly: true },
  {
    header: 'ACTIONS',
    value: host => (host.problem === undefined ? summarizeActions(host.commands) : `✗ ${formatProblem(host)}`),
    style: ({ problem }) => (problem === undefined ? undefined : 'error'),
    isTruncatable: true,
  },
];

/** Boot IDs differ between hosts. With a placeholder, equal commands are printed once. */
const replaceBootId = (text: string) => text.replace(BOOT_ID, '<boot id>');

/** Parses `sh -c SCRIPT sh ARGUMENTS…` if the script has several lines. */
function parseScript(argv: readonly string[]) {
  const [shell, flag, script = '', _name, ...args] = argv;
  if (shell !== 'sh' || flag !== '-c' || !script.includes('\n')) return undefined;
  return { lines: script.trimEnd().split('\n'), args };
}

const RUNS_ARGUMENTS = /(?:^\s*|\$\(|\bexec )"\$@"/m;

function formatPlannedCommand(phase: HostPhase, argv: readonly string[], isWide: boolean): string {
  const script = parseScript(argv);
  if (script === undefined) return replaceBootId(formatCommand(argv));
  const isReboot = phase === 'armed';
  const name = `${isReboot ? 'reboot' : 'shell'} script (${formatCount(script.lines.length, 'line')})`;
  if (script.args.length === 0) return name;
  const args = replaceBootId(formatCommand(script.args));
  if (!isReboot && RUNS_ARGUMENTS.test(script.lines.join('\n'))) return `${name} that runs: ${args}`;
  return isWide ? `${name}, arguments: ${args}` : name;
}

/** Prints scripts only with `-o wide`, because they are long and equal on all hosts. */
function formatCommands({ commands }: PlannedHost, isWide: boolean): string {
  const width = Math.max(0, ...commands.map(({ phase }) => getPhaseAction(phase).length));
  const indent = ' '.repeat(width + 6);
  return commands
    .map(({ phase, argv, detail }) => {
      const note = argv === null || detail === '' ? detail : ` (${detail})`;
      const text = `${argv === null ? '' : formatPlannedCommand(phase, argv, isWide)}${note}`;
      const script = (isWide && argv !== null && parseScript(argv)?.lines) || [];
      return [
        `  ${getPhaseAction(phase).padEnd(width)}  ${sanitizeLine(text, MAX_MESSAGE_LENGTH)}\n`,
        ...script.map(line => `${indent}${sanitizeLine(line, MAX_MESSAGE_LENGTH)}`.trimEnd().concat('\n')),
      ].join('');
    })
    .join('');
}

function formatCommandGroups(hosts: readonly PlannedHost[], isWide: boolean): string {
  const withCommands = hosts.filter(({ commands }) => commands.length > 0);
  return [...Map.groupBy(withCommands, host => formatCommands(host, isWide))]
    .map(([lines, [first, ...others]]) => {
      const more = others.length === 0 ? '' : ` and ${formatCount(others.length, 'other host')}`;
      return `\nCommands on ${first ? sanitizeLine(displayName(first)) : ''}${more}:\n${lines}`;
    })
    .join('');
}

function formatVerdict(plan: Plan): string {
  const { kind, hosts, would_start, would_fail, blocked_by, policy, detail } = plan;
  const note = sanitizeLine(formatServerText(detail), MAX_MESSAGE_LENGTH);
  const noteLine = note === '' ? '' : `Note: ${note}\n`;
  const intro = `Dry run: this ${kind} would`;
  if (would_fail)
    return `${intro} ${policy.on_failure}: ${note}. Other hosts can start before.\nNothing was changed.\n`;
  if (would_start) {
    const problems = hosts.filter(({ problem }) => problem !== undefined).length;
    const problemNote =
      problems === 0 ? '' : ` ${formatCount(problems, 'host')} ${problems === 1 ? 'has' : 'have'} a problem.`;
    return `${intro} start now. ${describePlan(plan)}${problemNote}\nNothing was changed.\n${noteLine}`;
  }
  if (blocked_by.length === 0) return `${intro} not start now${note === '' ? '' : `: ${note}`}\nNothing was changed.\n`;
  const effect = getBlockedStartEffect(policy);
  const outcome =
    effect === 'wait' ? `wait up to ${formatDuration(policy.timeouts.ready * 1000)}` : `${effect} at once`;
  const outages = formatOutages(blocked_by).map(line => `  ${line}\n`);
  return [
    `${intro} ${outcome}: ${formatBlockedReason(plan)}.\n`,
    'Nothing was changed.\n',
    noteLine,
    'Unavailable hosts:\n',
    ...outages,
    effect === 'wait' ? '' : `Flags that help:${formatStartFlags(plan)}\n`,
  ].join('');
}

export async function printPlan(session: Session, plan: Plan): Promise<void> {
  const { printer, terminal } = session;
  if (!printer.isHumanReadable) return printer.printStructured(plan, [plan.cluster]);
  const { hosts } = plan;
  const isWide = printer.format === 'wide';
  const rows = hosts.map((host, index) => ({ ...host, order: index + 1 }));
  terminal.writeErr(`${formatVerdict(plan)}\n`);
  if (rows.length > 0) terminal.writeOut(printer.formatTable(rows, COLUMNS));
  terminal.writeOut(formatCommandGroups(hosts, isWide));
  const hasHiddenScripts =
    !isWide && hosts.some(({ commands }) => commands.some(({ argv }) => argv !== null && parseScript(argv)));
  if (hasHiddenScripts) terminal.writeErr('\nPrint the scripts with -o wide.\n');
}
