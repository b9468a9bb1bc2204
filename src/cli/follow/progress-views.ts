import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../lib/sanitize.ts';
import { pluralize } from '../../lib/text.ts';
import { utcTime } from '../../sdk/format.ts';
import type { HostProgress } from '../../sdk/host-progress.ts';
import type { OperationProgress } from '../../sdk/operation-progress.ts';
import { countHosts, hasEnded } from '../../sdk/operation-progress.ts';
import { describeWait, operationStateText } from '../../sdk/operation-text.ts';
import { createColorizer, formatOperation } from '../output/format.ts';
import { formatServerText } from '../output/server-text.ts';
import { Screen } from '../terminal/screen.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { getNextSteps } from './next-steps.ts';
import { DISCONNECT_NOTICE_MS, NO_SERVER_RESPONDS, renderProgress } from './render-progress.ts';

export interface LogEntry {
  readonly atMs: number;
  readonly text: string;
}

const hasProblem = ({ state }: HostProgress) => state === 'failed' || state === 'unreachable';
const hasReason = (host: HostProgress) => hasProblem(host) || host.state === 'skipped';

function toHostEntry(host: HostProgress, nowMs: number): LogEntry {
  const { address, state, attempt, problem, sinceMs } = host;
  const attemptText = attempt > 1 ? ` (attempt ${attempt})` : '';
  const reason = hasReason(host) && problem !== '' ? `: ${sanitizeLine(problem)}` : '';
  return { atMs: sinceMs ?? nowMs, text: `${address} ${state}${attemptText}${reason}` };
}

function formatOperationEntry(progress: OperationProgress): string {
  const { operation } = progress;
  const { total, done, failed } = countHosts(progress);
  const wait = formatServerText(describeWait(operation));
  const steps = operation.state === 'paused' ? getNextSteps(operation) : [];
  const counts = `${done} of ${pluralize(total, 'host')} done${failed > 0 ? `, ${failed} failed` : ''}`;
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
  if (previous === undefined)
    return [
      { atMs: nowMs, text: formatOperationEntry(current) },
      ...allHosts.filter(hasProblem).map(host => toHostEntry(host, nowMs)),
    ];
  const hosts = allHosts.flatMap((host): LogEntry[] => {
    const previousHost = previous.hosts.get(host.address);
    if (previousHost === host || (previousHost?.state === host.state && previousHost.attempt === host.attempt))
      return [];
    return [toHostEntry(host, nowMs)];
  });
  const hasChanged =
    previous.operation.state !== current.operation.state ||
    previous.operation.paused_by !== current.operation.paused_by ||
    (previous.operation.problem !== current.operation.problem && current.operation.problem !== '');
  return [
    ...hosts.sort((a, b) => a.atMs - b.atMs),
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

export class LiveView implements ProgressView {
  readonly #terminal: Terminal;
  readonly #screen: Screen;
  #progress: OperationProgress | undefined;
  #cancelTimer = () => {};
  #isScheduled = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#screen = new Screen(terminal);
  }

  show(progress: OperationProgress): void {
    const isFirst = this.#progress === undefined;
    this.#progress = progress;
    if (isFirst) this.#render();
    else if (!this.#isScheduled) {
      this.#isScheduled = true;
      this.#renderAfter(RENDER_DELAY_MS);
    }
  }

  close(): void {
    this.#render();
    this.#cancelTimer();
    this.#screen.close();
  }

  #renderAfter(ms: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#terminal.clock.setTimer(ms, () => this.#render());
  }

  #render(): void {
    if (this.#progress === undefined) return;
    const { columns, rows, hasColor, clock } = this.#terminal;
    this.#isScheduled = false;
    const nowMs = clock.now() + this.#progress.clockOffsetMs;
    // After a character in the last column the cursor stays on it, and erasing the rest of the line would delete it.
    const viewport = { columns: columns - 1, rows, colorize: createColorizer(hasColor) };
    this.#screen.render(renderProgress(this.#progress, nowMs, viewport));
    this.#renderAfter(RENDER_INTERVAL_MS);
  }
}

export class LogView implements ProgressView {
  readonly #terminal: Terminal;
  readonly #write: (text: string) => void;
  #previous: OperationProgress | undefined;
  #cancelTimer = () => {};
  #isDisconnectShown = false;

  constructor(terminal: Terminal, write: (text: string) => void) {
    [this.#terminal, this.#write] = [terminal, write];
  }

  show(progress: OperationProgress): void {
    const nowMs = this.#nowMs(progress);
    this.#updateConnectionNotice(progress, nowMs);
    for (const { atMs, text } of toLogEntries(this.#previous, progress, nowMs)) this.#writeEntry(atMs, text);
    this.#previous = progress;
  }

  close(): void {
    this.#cancelTimer();
  }

  #nowMs = ({ clockOffsetMs }: OperationProgress) => this.#terminal.clock.now() + clockOffsetMs;

  #writeEntry(atMs: number, text: string): void {
    this.#write(`${utcTime(new Date(atMs).toISOString())}  ${text}\n`);
  }

  #updateConnectionNotice(progress: OperationProgress, nowMs: number): void {
    this.#cancelTimer();
    if (progress.disconnectedSinceMs === undefined) {
      if (this.#isDisconnectShown) this.#writeEntry(nowMs, 'a server responds again');
      this.#isDisconnectShown = false;
      return;
    }
    const writeNotice = () => {
      if (this.#isDisconnectShown) return;
      this.#isDisconnectShown = true;
      this.#writeEntry(this.#nowMs(progress), NO_SERVER_RESPONDS);
    };
    const dueMs = progress.disconnectedSinceMs + DISCONNECT_NOTICE_MS - nowMs;
    this.#cancelTimer = this.#terminal.clock.setTimer(Math.max(0, dueMs), writeNotice);
  }
}
