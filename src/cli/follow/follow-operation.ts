// `--follow`: combines the events of an operation with polling, because events do not contain everything.
// Invariants: following survives server failures, and a gap in the events leads to a full read. Stopping does
// not affect the operation.

import type { Routes } from '../../contract/index.ts';
import { MAX_MESSAGE_LENGTH, sanitizeLine } from '../../lib/sanitize.ts';
import { formatCount } from '../../lib/text.ts';
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
import type { Session } from '../session.ts';
import { withInterruptSignal } from '../terminal/terminal.ts';
import { retryWithoutHostsCommand } from './next-steps.ts';
import type { ProgressView } from './progress-views.ts';
import { createLiveView, createLogView } from './progress-views.ts';
import { formatProblem } from './render-progress.ts';

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

/** Reports all progress. Ends with the operation or with the signal. */
async function watchProgress(
  { client, follow, terminal: { clock } }: Session,
  id: string,
  signal: AbortSignal,
  onProgress: (progress: OperationProgress) => void,
): Promise<OperationProgress> {
  let pollNow = new AbortController();
  let progress = createProgress(await fetchOperation());
  onProgress(progress);

  async function fetchOperation(query: RouteInput<Routes['getOperation']>['query'] = {}): Promise<OperationResponse> {
    const { body, headers } = await client.getOperation({ id, query, signal, timeoutMs: REQUEST_TIMEOUT_MS });
    return {
      report: body,
      position: getEventPosition(headers),
      clockOffsetMs: getClockOffsetMs(headers.get('date'), clock.now()),
    };
  }

  function update(next: OperationProgress): void {
    if (next === progress || signal.aborted) return;
    progress = next;
    onProgress(next);
  }

  async function followEvents(eventSignal: AbortSignal): Promise<void> {
    const query = { operation: id, after: progress.position };
    for await (const event of follow({ query, signal: eventSignal })) {
      update(applyEvents(progress, [event]));
      if (event.type !== 'operation.host') pollNow.abort();
    }
  }

  async function refresh(isFullReportDue: boolean): Promise<void> {
    if (!isFullReportDue && progress.disconnectedSinceMs === undefined) {
      const response = await fetchOperation({ limit: 1 });
      // The last report contains the result of every host, even if some events have not arrived.
      if (response.report.status === 'in_process' && !missesEvents(progress, response))
        return update(applyOperation(progress, response));
    }
    const response = await fetchOperation();
    update(setDisconnectedSince(applyFullReport(progress, response), undefined));
  }

  async function poll(): Promise<void> {
    for (let count = 1; !hasEnded(progress) && !signal.aborted; count += 1) {
      await sleep(clock, POLL_INTERVAL_MS, AbortSignal.any([signal, pollNow.signal]));
      pollNow = new AbortController();
      try {
        await refresh(count % POLLS_PER_FULL_REPORT === 0 && isSmall(progress));
      } catch (error) {
        if (signal.aborted) return;
        if (!isRetryable(error)) throw error;
        const sinceMs = progress.disconnectedSinceMs ?? clock.now() + progress.clockOffsetMs;
        update(setDisconnectedSince(progress, sinceMs));
      }
    }
  }

  const ended = new AbortController();
  const events = followEvents(AbortSignal.any([signal, ended.signal]));
  try {
    await Promise.race([poll(), events.then(() => new Promise(() => {}))]);
  } finally {
    ended.abort();
    await events.catch(() => {});
  }
  return progress;
}

/** Programs get only the final record on stdout. */
function createView({ terminal, printer }: Session): ProgressView {
  if (!printer.isHumanReadable) return createLogView(terminal, text => terminal.writeErr(text));
  return terminal.supportsCursor ? createLiveView(terminal) : createLogView(terminal, text => terminal.writeOut(text));
}

function formatResult(progress: OperationProgress): string {
  const { started_at, finished_at } = progress.operation;
  const { total, done, failed, skipped } = countHosts(progress);
  const durationText =
    finished_at === null ? '' : ` in ${formatDuration(parseWireTime(finished_at) - parseWireTime(started_at))}`;
  const rest = [failed > 0 ? `, ${failed} failed` : '', skipped > 0 ? `, ${skipped} skipped` : ''].join('');
  const state = operationStateText(progress.operation.state, { failed });
  return `${formatOperation(progress.operation)} ${state}${durationText}: ${done} of ${formatCount(total, 'host')} done${rest}`;
}

function toFailure(progress: OperationProgress): Error {
  const { id, can, problem } = progress.operation;
  const reason =
    problem === '' ? '' : `\nReason: ${sanitizeLine(formatProblem(progress, problem), MAX_MESSAGE_LENGTH)}`;
  const retry = `hostler operation retry ${id}`;
  const exclude = retryWithoutHostsCommand(progress.operation);
  const retryHint = can.includes('retry') ? `\nRetry with: ${retry}` : '';
  const hint =
    exclude === '' ? retryHint : `\nRetry without these hosts: ${exclude}\nRetry when they are back: ${retry}`;
  return failedError(`${formatResult(progress)}${reason}${hint}`);
}

const isSuccessful = (progress: OperationProgress): boolean =>
  progress.operation.state === 'finished' && countHosts(progress).failed === 0;

/** Throws unless the operation has finished successfully, also after Ctrl-C, because the result is then unknown. */
export async function followOperation(session: Session, id: string): Promise<void> {
  const { terminal, printer, client } = session;
  const view = createView(session);
  const progress = await withInterruptSignal(terminal, async signal => {
    try {
      return await watchProgress(session, id, signal, view.show);
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
  if (!printer.isHumanReadable || isSuccessful(progress))
    await printer.printResult(formatResult(progress), (await client.getOperation({ id })).body, id);
  if (!isSuccessful(progress)) throw toFailure(progress);
}
