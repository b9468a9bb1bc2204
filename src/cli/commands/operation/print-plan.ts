import type { Static } from 'typebox';
import { shownWord } from '../../../client/command-words.ts';
import { deedsOf } from '../../../client/operation-words.ts';
import { duration } from '../../../client/times.ts';
import type { DryRun } from '../../../contract/routes/cluster-operations.ts';
import { harmless, LONGEST_SENTENCE } from '../../../lib/text/harmless.ts';
import { plural } from '../../../lib/text/plural.ts';
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
    header: 'WHAT WOULD BE DONE',
    of: host => (host.problem === undefined ? deedsOf(host.commands) : `✗ ${host.problem}`),
    style: ({ problem }) => (problem === undefined ? undefined : 'bad'),
    isCuttable: true,
  },
];

/** Scripts are many lines long, and the same for all hosts: `-o json` has them. */
const wordOf = (word: string) => (word.includes('\n') ? '…' : shownWord(word));

/** What differs from host to host only by the boot is the same for people. */
function linesOf({ commands }: PlannedHost): string {
  const width = Math.max(0, ...commands.map(({ phase }) => phase.length));
  return commands
    .map(({ phase, argv, detail }) => {
      const what = argv?.map(wordOf).join(' ').replace(BOOT_ID, '<boot id>');
      const words = what === undefined ? detail : `${what}${detail === '' ? '' : ` (${detail})`}`;
      return `  ${phase.padEnd(width)}  ${harmless(words, LONGEST_SENTENCE)}\n`;
    })
    .join('');
}

function commandsOf(hosts: readonly PlannedHost[]): string {
  const able = hosts.filter(({ commands }) => commands.length > 0);
  return [...Map.groupBy(able, linesOf)]
    .map(([lines, [first, ...others]]) => {
      const more = others.length === 0 ? '' : ` and ${plural(others.length, 'other')}`;
      return `\nOn ${first?.address}${more}:\n${lines}`;
    })
    .join('');
}

/** Which hosts would keep the operation from starting; empty if none would. */
function blockedText({ would_start, blocked_by = [], policy }: Plan, nowMs: number): string {
  if (would_start || blocked_by.length === 0) return '';
  const lines = outageLines(blocked_by, nowMs).map(line => `  ${line}\n`);
  const end = policy.wait
    ? `wait up to ${duration(policy.timeouts.ready * 1000)}`
    : `${policy.on_failure === 'pause' ? 'pause' : 'fail'} at once`;
  return `\nThe operation would start no host. It would ${end}, because of hosts that are out of service:\n${lines.join('')}`;
}

/** The answer to a dry run. */
export async function printPlan({ print, terminal }: Session, plan: Plan): Promise<void> {
  if (!print.isForPeople) return print.done('', { value: plan, name: plan.cluster });
  const { kind, cluster, hosts, detail, would_start, blocked_by = [] } = plan;
  const troubled = hosts.filter(({ problem }) => problem !== undefined).length;
  const rows = hosts.map((host, index) => ({ ...host, order: index + 1 }));
  if (rows.length > 0) terminal.write(print.table(rows, COLUMNS));
  terminal.write(commandsOf(hosts));
  terminal.tell(blockedText(plan, terminal.clock.now()));
  const problems = troubled === 0 ? '' : `, ${troubled} of them with a problem`;
  const wait = detail === '' ? '' : `; ${harmless(detail, LONGEST_SENTENCE)}`;
  const start =
    would_start !== false || detail !== '' || blocked_by.length > 0 ? '' : '; it would not start now';
  terminal.tell(
    `Dry run: the ${kind} of ${cluster} would go through ${plural(hosts.length, 'host')}${problems}; nothing was changed${start}${wait}\n`,
  );
}
