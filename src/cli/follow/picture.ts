// What somebody who follows an operation sees, as lines. Pure: the same progress, room and time make the same lines. What must hold:
// no line is wider than the room, there are not more of them than fit, and failures do not give way to what goes well.

import type { HostProgress } from '../../client/host-progress.ts';
import { partOf } from '../../client/host-progress.ts';
import { estimateMs } from '../../client/operation-estimate.ts';
import type { Progress } from '../../client/operation-progress.ts';
import { isOver, tallyOf } from '../../client/operation-progress.ts';
import { explainWait, operationStateText } from '../../client/operation-words.ts';
import { duration, timeOf } from '../../client/times.ts';
import { harmless } from '../../lib/text/harmless.ts';
import { operationName } from '../output/operation-name.ts';
import { serverText } from '../output/server-text.ts';
import { operationStyle, statusStyle } from '../output/status-style.ts';
import type { Paint, Style } from '../output/style.ts';
import { nextSteps } from './next-steps.ts';
import { isSilent, NO_SERVER_RESPONDS } from './silence.ts';

export interface Room {
  readonly columns: number;
  readonly rows: number;
  readonly paint: Paint;
}

type Piece = readonly [text: string, style?: Style | undefined];
type Line = readonly Piece[];

const LONGEST_BAR = 40;
/** Of the lines that hosts may have, failures take at most this part as long as others want the rest. */
const PART_OF_FAILURES = 1 / 2;

/** Cut at the edge. */
function cutAt(line: Line, { columns, paint }: Room): string {
  let left = columns;
  return line
    .map(([text, style]) => {
      const letters = [...text];
      const shown = letters.length <= left ? text : `${letters.slice(0, Math.max(0, left - 1)).join('')}…`;
      const isShown = left > 0;
      left -= Math.min(left, letters.length);
      return isShown ? paint(shown, style) : '';
    })
    .join('')
    .trimEnd();
}

function headerOf(progress: Progress, nowMs: number): Line {
  const { kind, cluster, version, state, started_by, started_at, finished_at, id } = progress.whole;
  const tookMs = (finished_at === null ? nowMs : timeOf(finished_at)) - timeOf(started_at);
  const what = version === undefined ? '' : ` to ${harmless(version, 60)}`;
  const tally = tallyOf(progress);
  const by = started_by === '' ? '' : `by ${harmless(started_by)}, `;
  return [
    [`${operationName({ kind, cluster })}${what}`, 'strong'],
    ['  '],
    [operationStateText(state, tally), operationStyle(state, tally)],
    [`  ${by}${duration(tookMs)}  `],
    [id, 'quiet'],
  ];
}

function barOf(progress: Progress, nowMs: number, { columns }: Room): Line {
  const { total, done, failed, skipped, left } = tallyOf(progress);
  const counts = [
    `${done} of ${total} done`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(left > 0 ? [`${left} remaining`] : []),
  ];
  const isGoing = progress.whole.state === 'running';
  const restMs = isGoing ? estimateMs(progress.hosts.values(), nowMs) : undefined;
  if (restMs !== undefined && restMs >= 1000) counts.push(`about ${duration(restMs)} left`);
  const text = counts.join(', ');
  const width = Math.min(LONGEST_BAR, columns - text.length - 2);
  if (width < 10 || total === 0) return [[text]];
  const upTo = (count: number) => Math.floor((count / total) * width);
  const [a, b, c] = [upTo(done), upTo(done + failed), upTo(done + failed + skipped)];
  return [
    ['█'.repeat(a), 'good'],
    ['▓'.repeat(b - a), 'bad'],
    ['▒'.repeat(c - b), 'quiet'],
    ['░'.repeat(width - c), 'quiet'],
    [`  ${text}`],
  ];
}

const widthOf = (texts: readonly string[]) => Math.max(0, ...texts.map(text => text.length));

function hostLines(hosts: readonly HostProgress[], nowMs: number): readonly Line[] {
  const addresses = widthOf(hosts.map(({ address }) => address));
  const states = widthOf(hosts.map(({ state }) => state));
  const times = hosts.map(({ state, sinceMs }) =>
    sinceMs === undefined || state === 'failed' ? '' : `${duration(nowMs - sinceMs)}  `,
  );
  const width = widthOf(times);
  return hosts.map((host, index) => {
    const style = partOf(host) === 'preparing' ? 'quiet' : statusStyle(host.state);
    const tried = host.attempt > 1 ? `attempt ${host.attempt}  ` : '';
    return [
      [`${host.address.padEnd(addresses)}  `],
      [host.state.padEnd(states), style],
      [`  ${(times[index] ?? '').padStart(width)}${tried}`],
      // That it does not answer is what this phase is about.
      [host.state === 'rebooting' ? '' : harmless(host.problem), style],
    ];
  });
}

/** Those in flight before those that prepare; else as in the plan. */
function activeOf({ hosts }: Progress): readonly HostProgress[] {
  const inPart = (part: string) => [...hosts.values()].filter(host => partOf(host) === part);
  return [...inPart('in_flight'), ...inPart('preparing')];
}

const atMost = (lines: readonly Line[], most: number): readonly Line[] => {
  if (lines.length <= most) return lines;
  const shown = lines.slice(0, Math.max(0, most - 1));
  return most <= 0 ? [] : [...shown, [[`… and ${lines.length - shown.length} more`, 'quiet']]];
};

/** Why it is not going on, and what somebody could do about it. */
function waitLines(progress: Progress, nowMs: number): readonly Line[] {
  const { whole } = progress;
  const wait = harmless(serverText(explainWait(whole)));
  const steps = whole.state === 'paused' ? nextSteps(whole) : [];
  return [
    ...(wait === '' ? [] : [[[wait, isOver(progress) ? 'bad' : 'doubtful']] satisfies Line]),
    ...steps.map((text): Line => [[text, 'strong']]),
    ...(isSilent(progress, nowMs) ? [[[NO_SERVER_RESPONDS, 'bad']] satisfies Line] : []),
  ];
}

export function picture(progress: Progress, nowMs: number, room: Room): readonly string[] {
  const head = [headerOf(progress, nowMs), barOf(progress, nowMs, room), ...waitLines(progress, nowMs)];
  // One row is the cursor's.
  const rows = room.rows - 1 - head.length;
  const failed = [...progress.hosts.values()].filter(({ state }) => state === 'failed');
  const hosts = hostLines([...failed, ...(isOver(progress) ? [] : activeOf(progress))], nowMs);
  const active = hosts.slice(failed.length);
  const forFailures = Math.max(Math.floor(rows * PART_OF_FAILURES), rows - active.length);
  const failures = atMost(hosts.slice(0, failed.length), forFailures);
  const lines = [...head, ...failures, ...atMost(active, rows - failures.length)];
  return lines.slice(0, Math.max(1, room.rows - 1)).map(line => cutAt(line, room));
}
