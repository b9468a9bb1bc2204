import type { Static } from 'typebox';
import { effectOfBlockedStart } from '../../../client/blocking-hosts.ts';
import { shownCommand } from '../../../client/command-words.ts';
import { deedOf, deedsOf } from '../../../client/operation-words.ts';
import { duration } from '../../../client/times.ts';
import type { DryRun } from '../../../contract/routes/cluster-operations.ts';
import { harmless, LONGEST_SENTENCE } from '../../../lib/text/harmless.ts';
import { plural } from '../../../lib/text/plural.ts';
import { operationName } from '../../output/operation-name.ts';
import { serverText } from '../../output/server-text.ts';
import { statusStyle } from '../../output/status-style.ts';
import type { Column } from '../../output/table.ts';
import type { Session } from '../../session.ts';
import { outageLines } from './blocked-start.ts';

type Plan = Static<typeof DryRun>;
type PlannedHost = Plan['hosts'][number];

const BOOT_ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

const COLUMNS: readonly Column<PlannedHost & { readonly order: number }>[] = [
  { header: 'ORDER', of: ({ order }) => String(order), isRight: true },
  { header: 'HOST', of: ({ address }) => address },
  { header: 'STATUS', of: ({ state }) => state.status, style: ({ state }) => statusStyle(state.status) },
  { header: 'OS', of: ({ state }) => state.os },
  { header: 'CONTROL PLANE', of: host => (host.control_plane ? 'yes' : ''), isWide: true },
  {
    header: 'ACTIONS',
    of: host => (host.problem === undefined ? deedsOf(host.commands) : `✗ ${host.problem}`),
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

function commandText(argv: readonly string[]): string {
  const script = scriptOf(argv);
  if (script === undefined) return withoutBootId(shownCommand(argv));
  const args = script.args.length === 0 ? '' : `, arguments: ${withoutBootId(shownCommand(script.args))}`;
  return `shell script of ${plural(script.lines.length, 'line')}${args}`;
}

/** Scripts are long and the same for all hosts: only `-o wide` prints them. */
function linesOf({ commands }: PlannedHost, isWide: boolean): string {
  const width = Math.max(0, ...commands.map(({ phase }) => deedOf(phase).length));
  const indent = ' '.repeat(width + 6);
  return commands
    .map(({ phase, argv, detail }) => {
      const note = argv === null || detail === '' ? detail : ` (${detail})`;
      const text = `${argv === null ? '' : commandText(argv)}${note}`;
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

/** Why the operation would not start; otherwise the note of the server, if there is one. */
function startText({ would_start, blocked_by = [], policy, detail }: Plan): string {
  const note = harmless(serverText(detail), LONGEST_SENTENCE);
  if (would_start !== false) return note === '' ? '' : `Note: ${note}\n`;
  if (blocked_by.length === 0) return `It would not start now${note === '' ? '' : `: ${note}`}\n`;
  const effect = effectOfBlockedStart(policy);
  const end =
    effect === 'wait' ? `wait up to ${duration(policy.timeouts.ready * 1000)}` : `${effect} at once`;
  return [
    ...(note === '' ? [] : [`Note: ${note}`]),
    `It would not start now: it would ${end}, because these hosts are out of service:`,
    ...outageLines(blocked_by).map(line => `  ${line}`),
    '',
  ].join('\n');
}

/** Prints the response to a dry run. */
export async function printPlan({ print, terminal }: Session, plan: Plan): Promise<void> {
  if (!print.isForPeople) return print.done('', { value: plan, name: plan.cluster });
  const { hosts } = plan;
  const isWide = print.format === 'wide';
  const problems = hosts.filter(({ problem }) => problem !== undefined).length;
  const rows = hosts.map((host, index) => ({ ...host, order: index + 1 }));
  if (rows.length > 0) terminal.write(print.table(rows, COLUMNS));
  terminal.write(commandsOf(hosts, isWide));
  const hasHiddenScripts =
    !isWide && hosts.some(({ commands }) => commands.some(({ argv }) => argv !== null && scriptOf(argv)));
  if (hasHiddenScripts) terminal.tell('\nPrint the scripts with -o wide.\n');
  const failing = problems === 0 ? '' : ` (${plural(problems, 'host')} with a problem)`;
  terminal.tell(
    `Dry run: ${operationName(plan)} would run on ${plural(hosts.length, 'host')}${failing}. Nothing was changed.\n${startText(plan)}`,
  );
}
