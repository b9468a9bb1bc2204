import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../lib/sanitize.ts';
import { formatCount } from '../../lib/text.ts';
import { parseWireTime, utcTime } from '../../sdk/format.ts';
import type { HostProgress } from '../../sdk/host-progress.ts';
import { formatHost } from '../../sdk/host-progress.ts';
import type { OperationProgress } from '../../sdk/operation-progress.ts';
import { countHosts, hasEnded } from '../../sdk/operation-progress.ts';
import { describeWait, operationStateText } from '../../sdk/operation-text.ts';
import { createColorizer, formatOperation } from '../output/format.ts';
import { createScreen } from '../terminal/screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { getNextSteps } from './next-steps.ts';
import { DISCONNECT_NOTICE_MS, formatProblem, NO_SERVER_RESPONDS, renderProgress } from './render-progress.ts';

export interface LogEntry {
  readonly atMs: number;
  readonly text: string;
}

const hasProblem = ({ state }: HostProgress) => state === 'failed' || state === 'unreachable';
const hasReason = (host: HostProgress) => hasProblem(host) || host.state === 'skipped';

function toHostEntry(host: HostProgress, nowMs: number): LogEntry {
  const { state, attempt, problem, sinceMs } = host;
  const attemptText = attempt > 1 ? ` (attempt ${attempt})` : '';
  const reason = hasReason(host) && problem !== '' ? `: ${sanitizeLine(problem)}` : '';
  return { atMs: sinceMs ?? nowMs, text: `${sanitizeLine(formatHost(host))} ${state}${attemptText}${reason}` };
}

function formatOperationEntry(progress: OperationProgress): string {
  const { operation } = progress;
  const { total, done, failed } = countHosts(progress);
  const wait = formatProblem(progress, describeWait(operation));
  const steps = operation.state === 'paused' ? getNextSteps(operation) : [];
  const counts = `${done} of ${formatCount(total, 'host')} done${failed > 0 ? `, ${failed} failed` : ''}`;
  return [`${formatOperation(operation)} ${operationStateText(operation.state, { failed })}`, counts, wait, ...steps]
    .filter(Boolean)
    .map(text => sanitizeLine(text, MAX_MESSAGE_LENGTH))
    .join('; ');
}

/** The changes between two states. Without a previous state: the current state and the hosts with a problem. */
export function toLogEntries(
  previous: OperationProgress | undefined,
  current: OperationProgress,
  nowMs: number,
): readonly LogEntry[] {
  const allHosts = [...current.hosts.values()];
  const { finished_at } = current.operation;
  if (previous === undefined)
    return [
      { atMs: finished_at === null ? nowMs : parseWireTime(finished_at), text: formatOperationEntry(current) },
      ...allHosts.filter(hasProblem).map(host => toHostEntry(host, nowMs)),
    ];
  const changedHosts = allHosts.filter(({ address, state, attempt }) => {
    const previousHost = previous.hosts.get(address);
    return previousHost?.state !== state || previousHost.attempt !== attempt;
  });
  const hasChanged =
    previous.operation.state !== current.operation.state ||
    previous.operation.paused_by !== current.operation.paused_by ||
    (previous.operation.problem !== current.operation.problem && current.operation.problem !== '');
  return [
    ...changedHosts.map(host => toHostEntry(host, nowMs)).sort((a, b) => a.atMs - b.atMs),
    ...(hasChanged && !hasEnded(current) ? [{ atMs: nowMs, text: formatOperationEntry(current) }] : []),
  ];
}

export interface ProgressView {
  show(progress: OperationProgress): void;
  close(): void;
}

const RENDER_INTERVAL_MS = 1000;
/** Combines simultaneous changes into one update. */
const RENDER_DELAY_MS = 100;

export function createLiveView(terminal: Terminal): ProgressView {
  const screen = createScreen(terminal);
  let progress: OperationProgress | undefined;
  let cancelTimer = () => {};
  let isScheduled = false;

  function renderAfter(ms: number): void {
    cancelTimer();
    cancelTimer = terminal.clock.setTimer(ms, render);
  }

  function render(): void {
    if (progress === undefined) return;
    const { columns, rows, hasColor, clock } = terminal;
    isScheduled = false;
    // After a character in the last column the cursor stays on it, and erasing the rest of the line would delete it.
    const viewport = { columns: columns - 1, rows, colorize: createColorizer(hasColor) };
    screen.render(renderProgress(progress, clock.now() + progress.clockOffsetMs, viewport));
    renderAfter(RENDER_INTERVAL_MS);
  }

  return {
    show(next) {
      const isFirst = progress === undefined;
      progress = next;
      if (isFirst) render();
      else if (!isScheduled) {
        isScheduled = true;
        renderAfter(RENDER_DELAY_MS);
      }
    },
    close() {
      render();
      cancelTimer();
      screen.close();
    },
  };
}

export function createLogView({ clock }: Terminal, write: (text: string) => void): ProgressView {
  let previous: OperationProgress | undefined;
  let cancelTimer = () => {};
  let isDisconnectShown = false;

  const writeEntry = ({ atMs, text }: LogEntry) => write(`${utcTime(new Date(atMs).toISOString())}  ${text}\n`);

  function updateConnectionNotice({ disconnectedSinceMs, clockOffsetMs }: OperationProgress, nowMs: number): void {
    cancelTimer();
    if (disconnectedSinceMs === undefined) {
      if (isDisconnectShown) writeEntry({ atMs: nowMs, text: 'a server responds again' });
      isDisconnectShown = false;
      return;
    }
    cancelTimer = clock.setTimer(Math.max(0, disconnectedSinceMs + DISCONNECT_NOTICE_MS - nowMs), () => {
      if (!isDisconnectShown) writeEntry({ atMs: clock.now() + clockOffsetMs, text: NO_SERVER_RESPONDS });
      isDisconnectShown = true;
    });
  }

  return {
    show(progress) {
      const nowMs = clock.now() + progress.clockOffsetMs;
      updateConnectionNotice(progress, nowMs);
      toLogEntries(previous, progress, nowMs).forEach(writeEntry);
      previous = progress;
    },
    close: () => cancelTimer(),
  };
}
