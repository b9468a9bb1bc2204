// `--follow`: combines the events of an operation with polling, because events do not contain everything.
// Invariants: following survives server failures, and a gap in the events leads to a full read. Stopping does
// not affect the operation.

import type { Routes } from '../../contract/index.ts';
import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../lib/sanitize.ts';
import { pluralize } from '../../lib/text.ts';
import { sleep } from '../../lib/time/clock.ts';
import type { RouteInput } from '../../sdk/client.ts';
import { isRetryable } from '../../sdk/errors.ts';
import { formatDuration, parseWireTime } from '../../sdk/format.ts';
import type { OperationProgress, OperationResponse } from '../../sdk/operation-progress.ts';
import {
  applyEvents,
  applyFullReport,
  applyOperation,
  countHosts,
  createProgress,
  hasEnded,
  setDisconnectedSince,
} from '../../sdk/operation-progress.ts';
import { operationStateText } from '../../sdk/operation-text.ts';
import { getClockOffsetMs, getEventPosition } from '../../sdk/response-headers.ts';
import { EXIT_INTERRUPTED, ExitError, failedError } from '../errors.ts';
import { formatOperation } from '../output/format.ts';
import { formatServerText } from '../output/server-text.ts';
import type { Session } from '../session.ts';
import { withInterruptSignal } from '../terminal/terminal.ts';
import { retryWithoutHostsCommand } from './next-steps.ts';
import type { ProgressView } from './progress-views.ts';
import { LiveView, LogView } from './progress-views.ts';

const POLL_INTERVAL_MS = 2000;
/** Events do not contain why a host waits. A full report is polled only for small operations. */
const POLLS_PER_FULL_REPORT = 10;
const MAX_HOSTS_FOR_FULL_POLL = 500;
/** If a server does not respond in time, the client uses the next one. */
const REQUEST_TIMEOUT_MS = 5000;

const isSmall = ({ hosts }: OperationProgress) => hosts.size <= MAX_HOSTS_FOR_FULL_POLL;

/** More hosts have ended than the events say: the event stream may be stuck. */
function missesEvents(progress: OperationProgress, { report: { counts } }: OperationResponse): boolean {
  const { done, failed, skipped } = countHosts(progress);
  return isSmall(progress) && counts.done + counts.failed + counts.skipped > done + failed + skipped;
}

interface FollowState {
  progress: OperationProgress;
}

export class OperationFollower {
  readonly #session: Pick<Session, 'client' | 'follow' | 'terminal'>;
  readonly #id: string;
  readonly #signal: AbortSignal;
  readonly #onProgress: (progress: OperationProgress) => void;
  #pollNow = new AbortController();

  constructor(session: Session, id: string, signal: AbortSignal, onProgress: (progress: OperationProgress) => void) {
    [this.#session, this.#id, this.#signal, this.#onProgress] = [session, id, signal, onProgress];
  }

  /** Reports all progress. Ends with the operation or with the signal. */
  async run(): Promise<OperationProgress> {
    const state = { progress: createProgress(await this.#fetch()) };
    this.#onProgress(state.progress);
    const controller = new AbortController();
    const signal = AbortSignal.any([this.#signal, controller.signal]);
    const events = this.#followEvents(state, signal);
    try {
      await Promise.race([this.#poll(state), events.then(() => new Promise(() => {}))]);
    } finally {
      controller.abort();
      await events.catch(() => {});
    }
    return state.progress;
  }

  #update(state: FollowState, next: OperationProgress): void {
    if (next === state.progress || this.#signal.aborted) return;
    state.progress = next;
    this.#onProgress(next);
  }

  async #followEvents(state: FollowState, signal: AbortSignal) {
    const query = { operation: this.#id, after: state.progress.position };
    for await (const event of this.#session.follow({ query, signal })) {
      this.#update(state, applyEvents(state.progress, [event]));
      if (event.type !== 'operation.host') this.#pollNow.abort();
    }
  }

  async #poll(state: FollowState): Promise<void> {
    const { clock } = this.#session.terminal;
    for (let count = 1; !hasEnded(state.progress) && !this.#signal.aborted; count += 1) {
      await sleep(clock, POLL_INTERVAL_MS, AbortSignal.any([this.#signal, this.#pollNow.signal]));
      this.#pollNow = new AbortController();
      try {
        await this.#refresh(state, count % POLLS_PER_FULL_REPORT === 0 && isSmall(state.progress));
      } catch (error) {
        if (this.#signal.aborted) return;
        if (!isRetryable(error)) throw error;
        const { disconnectedSinceMs, clockOffsetMs } = state.progress;
        this.#update(state, setDisconnectedSince(state.progress, disconnectedSinceMs ?? clock.now() + clockOffsetMs));
      }
    }
  }

  async #refresh(state: FollowState, isFullReportDue: boolean): Promise<void> {
    if (!isFullReportDue && state.progress.disconnectedSinceMs === undefined) {
      const response = await this.#fetch({ limit: 1 });
      // The last report contains the result of every host, even if some events have not arrived.
      if (response.report.status === 'in_process' && !missesEvents(state.progress, response))
        return this.#update(state, applyOperation(state.progress, response));
    }
    const response = await this.#fetch();
    this.#update(state, setDisconnectedSince(applyFullReport(state.progress, response), undefined));
  }

  async #fetch(query: RouteInput<Routes['getOperation']>['query'] = {}): Promise<OperationResponse> {
    const input = { id: this.#id, query, signal: this.#signal, timeoutMs: REQUEST_TIMEOUT_MS };
    const { body, headers } = await this.#session.client.getOperation(input);
    return {
      report: body,
      position: getEventPosition(headers),
      clockOffsetMs: getClockOffsetMs(headers.get('date'), this.#session.terminal.clock.now()),
    };
  }
}

/** Programs get only the final record on stdout. */
function createView({ terminal, printer }: Session): ProgressView {
  if (!printer.isHumanReadable) return new LogView(terminal, text => terminal.writeErr(text));
  return terminal.supportsCursor ? new LiveView(terminal) : new LogView(terminal, text => terminal.writeOut(text));
}

function formatResult(progress: OperationProgress): string {
  const { started_at, finished_at } = progress.operation;
  const { total, done, failed, skipped } = countHosts(progress);
  const durationText =
    finished_at === null ? '' : ` in ${formatDuration(parseWireTime(finished_at) - parseWireTime(started_at))}`;
  const rest = [failed > 0 ? `, ${failed} failed` : '', skipped > 0 ? `, ${skipped} skipped` : ''].join('');
  const state = operationStateText(progress.operation.state, { failed });
  return `${formatOperation(progress.operation)} ${state}${durationText}: ${done} of ${pluralize(total, 'host')} done${rest}`;
}

function toFailure(progress: OperationProgress): Error {
  const { id, can, problem } = progress.operation;
  const reason = problem === '' ? '' : `\nReason: ${sanitizeLine(formatServerText(problem), MAX_MESSAGE_LENGTH)}`;
  const retry = `hostler operation retry ${id}`;
  const exclude = retryWithoutHostsCommand(progress.operation);
  const retryHint = can.includes('retry') ? `\nRetry with: ${retry}` : '';
  const hint =
    exclude === '' ? retryHint : `\nRetry without these hosts: ${exclude}\nRetry when they are back: ${retry}`;
  return failedError(`${formatResult(progress)}${reason}${hint}`);
}

/** Throws unless the operation has finished successfully, also after Ctrl-C, because the result is then unknown. */
export async function followOperation(session: Session, id: string): Promise<void> {
  const { terminal, printer, client } = session;
  const view = createView(session);
  const progress = await withInterruptSignal(terminal, async signal => {
    try {
      return await new OperationFollower(session, id, signal, next => view.show(next)).run();
    } catch (error) {
      if (!signal.aborted) throw error;
      return undefined;
    } finally {
      view.close();
    }
  });
  if (progress === undefined || !hasEnded(progress)) {
    terminal.writeErr(
      `Stopped following; the operation continues. Follow it again with: hostler operation follow ${id}\n`,
    );
    throw new ExitError(EXIT_INTERRUPTED);
  }
  if (!printer.isHumanReadable || progress.operation.state === 'finished')
    await printer.printResult(formatResult(progress), (await client.getOperation({ id })).body, id);
  if (progress.operation.state !== 'finished') throw toFailure(progress);
}
