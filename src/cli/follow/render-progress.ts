// Renders the progress of an operation as lines, without side effects. Invariants: no line is wider than the
// viewport, the number of lines fits, and running hosts do not displace failures.

import { sanitizeLine } from '../../lib/sanitize.ts';
import { formatDuration, parseWireTime } from '../../sdk/format.ts';
import type { HostProgress } from '../../sdk/host-progress.ts';
import { displayName, getPhaseGroup } from '../../sdk/host-progress.ts';
import type { OperationProgress } from '../../sdk/operation-progress.ts';
import { countHosts, hasEnded } from '../../sdk/operation-progress.ts';
import { describeWait, operationStateText } from '../../sdk/operation-text.ts';
import { estimateRemainingMs } from '../../sdk/remaining-time.ts';
import type { Colorize, Style } from '../output/format.ts';
import { formatOperation, getOperationStyle, getStatusStyle } from '../output/format.ts';
import { addHostnames, formatServerText } from '../output/server-text.ts';
import { getNextSteps } from './next-steps.ts';

export const NO_SERVER_RESPONDS = 'no server responds, retrying';

/** No notice before this time, because the server may be restarting. */
export const DISCONNECT_NOTICE_MS = 3000;

const isDisconnected = ({ disconnectedSinceMs }: OperationProgress, nowMs: number): boolean =>
  disconnectedSinceMs !== undefined && nowMs - disconnectedSinceMs >= DISCONNECT_NOTICE_MS;

export interface Viewport {
  readonly columns: number;
  readonly rows: number;
  readonly colorize: Colorize;
}

type Segment = readonly [text: string, style?: Style | undefined];
type Line = readonly Segment[];

const MAX_BAR_WIDTH = 40;
/** The maximum share of failed hosts in the host lines while other hosts need the rest. */
const FAILURES_SHARE = 1 / 2;

function renderLine(line: Line, { columns, colorize }: Viewport): string {
  let remaining = columns;
  return line
    .map(([text, style]) => {
      const characters = [...text];
      const truncated =
        characters.length <= remaining ? text : `${characters.slice(0, Math.max(0, remaining - 1)).join('')}…`;
      const isVisible = remaining > 0;
      remaining -= Math.min(remaining, characters.length);
      return isVisible ? colorize(truncated, style) : '';
    })
    .join('')
    .trimEnd();
}

/** With the hostnames of hosts. */
export function formatProblem({ hosts, operation }: OperationProgress, text: string): string {
  const findOutage = (address: string) => operation.unavailable_hosts.find(outage => outage.address === address);
  return addHostnames(formatServerText(text), address => (hosts.get(address) ?? findOutage(address))?.hostname);
}

function renderHeader(progress: OperationProgress, nowMs: number): Line {
  const { kind, cluster, version, state, started_by, started_at, finished_at, id } = progress.operation;
  const elapsedMs = (finished_at === null ? nowMs : parseWireTime(finished_at)) - parseWireTime(started_at);
  const target = version === undefined ? '' : ` to ${sanitizeLine(version, 60)}`;
  const totals = countHosts(progress);
  const starter = started_by === '' ? '' : `by ${sanitizeLine(started_by)}, `;
  return [
    [`${formatOperation({ kind, cluster })}${target}`, 'bold'],
    ['  '],
    [operationStateText(state, totals), getOperationStyle(state, totals)],
    [`  ${starter}${formatDuration(elapsedMs)}  `],
    [id, 'muted'],
  ];
}

function renderBar(progress: OperationProgress, nowMs: number, { columns }: Viewport): Line {
  const { total, done, failed, skipped, remaining } = countHosts(progress);
  const counts = [
    `${done} of ${total} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(remaining > 0 ? [`${remaining} remaining`] : []),
  ];
  const isRunning = progress.operation.state === 'running';
  const remainingMs = isRunning ? estimateRemainingMs(progress.hosts.values(), nowMs) : undefined;
  if (remainingMs !== undefined && remainingMs >= 1000) counts.push(`about ${formatDuration(remainingMs)} left`);
  const text = counts.join(', ');
  const width = Math.min(MAX_BAR_WIDTH, columns - text.length - 2);
  if (width < 10 || total === 0) return [[text]];
  const upTo = (count: number) => Math.floor((count / total) * width);
  const [a, b, c] = [upTo(done), upTo(done + failed), upTo(done + failed + skipped)];
  return [
    ['█'.repeat(a), 'success'],
    ['▓'.repeat(b - a), 'error'],
    ['▒'.repeat(c - b), 'muted'],
    ['░'.repeat(width - c), 'muted'],
    [`  ${text}`],
  ];
}

const maxLength = (texts: readonly string[]) => Math.max(0, ...texts.map(text => text.length));

function renderHosts(hosts: readonly HostProgress[], nowMs: number): readonly Line[] {
  const names = hosts.map(host => sanitizeLine(displayName(host)));
  const nameWidth = maxLength(names);
  const states = maxLength(hosts.map(({ state }) => state));
  const times = hosts.map(({ state, sinceMs }) =>
    sinceMs === undefined || state === 'failed' ? '' : `${formatDuration(nowMs - sinceMs)}  `,
  );
  const width = maxLength(times);
  return hosts.map((host, index) => {
    const style = getPhaseGroup(host) === 'preparing' ? 'muted' : getStatusStyle(host.state);
    const attemptText = host.attempt > 1 ? `attempt ${host.attempt}  ` : '';
    return [
      [`${(names[index] ?? '').padEnd(nameWidth)}  `],
      [host.state.padEnd(states), style],
      [`  ${(times[index] ?? '').padStart(width)}${attemptText}`],
      // A rebooting host is expected not to respond.
      [host.state === 'rebooting' ? '' : sanitizeLine(host.problem), style],
    ];
  });
}

/** Hosts in flight, then preparing hosts, both in the order of the plan. */
function findActiveHosts({ hosts }: OperationProgress): readonly HostProgress[] {
  const inGroup = (group: string) => [...hosts.values()].filter(host => getPhaseGroup(host) === group);
  return [...inGroup('in_flight'), ...inGroup('preparing')];
}

const limitLines = (lines: readonly Line[], max: number): readonly Line[] => {
  if (lines.length <= max) return lines;
  const visible = lines.slice(0, Math.max(0, max - 1));
  return max <= 0 ? [] : [...visible, [[`… and ${lines.length - visible.length} more`, 'muted']]];
};

function renderWait(progress: OperationProgress, nowMs: number): readonly Line[] {
  const { operation } = progress;
  const wait = sanitizeLine(formatProblem(progress, describeWait(operation)));
  const steps = operation.state === 'paused' ? getNextSteps(operation) : [];
  return [
    ...(wait === '' ? [] : [[[wait, hasEnded(progress) ? 'error' : 'warning']] satisfies Line]),
    ...steps.map((text): Line => [[text, 'bold']]),
    ...(isDisconnected(progress, nowMs) ? [[[NO_SERVER_RESPONDS, 'error']] satisfies Line] : []),
  ];
}

export function renderProgress(progress: OperationProgress, nowMs: number, viewport: Viewport): readonly string[] {
  const header = [renderHeader(progress, nowMs), renderBar(progress, nowMs, viewport), ...renderWait(progress, nowMs)];
  // One row is for the cursor.
  const rows = viewport.rows - 1 - header.length;
  const failed = [...progress.hosts.values()].filter(({ state }) => state === 'failed');
  const hosts = renderHosts([...failed, ...(hasEnded(progress) ? [] : findActiveHosts(progress))], nowMs);
  const active = hosts.slice(failed.length);
  const failureRows = Math.max(Math.floor(rows * FAILURES_SHARE), rows - active.length);
  const failures = limitLines(hosts.slice(0, failed.length), failureRows);
  const lines = [...header, ...failures, ...limitLines(active, rows - failures.length)];
  return lines.slice(0, Math.max(1, viewport.rows - 1)).map(line => renderLine(line, viewport));
}
