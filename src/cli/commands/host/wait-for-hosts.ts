// Waits until hosts are ready or have failed. Invariant: no change is missed, even if servers fail. Therefore
// the event position is read first, then the status of each host, and then the events after this position.

import type { HostStatus } from '../../../domain/vocabulary.ts';
import { sleep } from '../../../lib/time/clock.ts';
import { ApiError, isRetryable } from '../../../sdk/errors.ts';
import type { StreamEvent } from '../../../sdk/event-stream.ts';
import { getEventPosition } from '../../../sdk/response-headers.ts';
import { mapConcurrent } from '../../for-each-host.ts';
import type { Session } from '../../session.ts';
import type { StatusReport } from './show.ts';
import { formatTask } from './show.ts';

export interface WaitResult {
  readonly address: string;
  readonly status: HostStatus | 'removed';
  readonly isReady: boolean;
  /** Why the host failed, or its pending tasks. */
  readonly reason: string;
}

export interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onDone: (result: WaitResult) => void;
}

const RETRY_DELAY_MS = 1000;
const WATCHED_EVENTS = ['host.status', 'host.removed'];

/** A host without a cluster is ready after its bootstrap. */
function isReady({ status, cluster }: StatusReport['host']): boolean {
  return status === 'active' || (status === 'disassociated' && cluster === undefined);
}

function toWaitResult(address: string, { host }: StatusReport): WaitResult {
  const { status, reason = '', tasks } = host;
  return { address, status, isReady: isReady(host), reason: reason || tasks.map(formatTask).join('; ') };
}

const isDone = ({ isReady: ready, status }: WaitResult) => ready || status === 'failed' || status === 'removed';

class HostWaiter {
  readonly #session: Session;
  readonly #signal: AbortSignal;
  readonly #onDone: WaitOptions['onDone'];
  readonly results = new Map<string, WaitResult>();
  readonly remaining: Set<string>;

  constructor(session: Session, addresses: readonly string[], signal: AbortSignal, onDone: WaitOptions['onDone']) {
    this.#session = session;
    this.#signal = signal;
    this.#onDone = onDone;
    this.remaining = new Set(addresses);
  }

  async refreshAll(): Promise<void> {
    await mapConcurrent([...this.remaining], address => this.#refresh(address));
  }

  async handleEvent(event: StreamEvent): Promise<void> {
    if (event.type === 'reset') return this.refreshAll();
    if (!('id' in event) || event.host === null || !WATCHED_EVENTS.includes(event.type)) return;
    if (this.remaining.has(event.host)) await this.#refresh(event.host);
  }

  async #refresh(address: string): Promise<void> {
    const result = await this.#fetchStatus(address);
    if (result === undefined) return;
    this.results.set(address, result);
    if (!isDone(result) || !this.remaining.delete(address)) return;
    this.#onDone(result);
  }

  /** Returns `undefined` after the timeout. */
  async #fetchStatus(address: string): Promise<WaitResult | undefined> {
    const { client } = this.#session;
    try {
      const response = await this.retryWhileUnavailable(() => client.getHostStatus({ address, signal: this.#signal }));
      return response && toWaitResult(address, response.body);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404)
        return { address, status: 'removed', isReady: false, reason: 'another user removed it' };
      throw error;
    }
  }

  /** Retries while no server is available. Returns `undefined` after the timeout. */
  async retryWhileUnavailable<Result>(request: () => Promise<Result>): Promise<Result | undefined> {
    while (!this.#signal.aborted) {
      try {
        return await request();
      } catch (error) {
        if (!isRetryable(error)) throw error;
        await sleep(this.#session.terminal.clock, RETRY_DELAY_MS, this.#signal);
      }
    }
    return undefined;
  }
}

/** Returns the state of each host. A host that is neither ready nor failed has its state at the timeout. */
export async function waitForHosts(
  session: Session,
  addresses: readonly string[],
  { timeoutMs, signal, onDone }: WaitOptions,
): Promise<readonly WaitResult[]> {
  const timeout = new AbortController();
  const cancelTimeout = session.terminal.clock.setTimer(timeoutMs, () => timeout.abort());
  const stopSignal = AbortSignal.any([timeout.signal, signal]);
  const waiter = new HostWaiter(session, addresses, stopSignal, onDone);
  try {
    const response = await waiter.retryWhileUnavailable(() => session.client.listHosts({ query: { limit: 1 } }));
    const after = response === undefined ? 0 : getEventPosition(response.headers);
    await waiter.refreshAll();
    const [only] = addresses;
    const query = { after, ...(addresses.length === 1 && only !== undefined && { host: only }) };
    if (waiter.remaining.size > 0)
      for await (const event of session.follow({ query, signal: stopSignal })) {
        await waiter.handleEvent(event);
        if (waiter.remaining.size === 0) break;
      }
  } finally {
    cancelTimeout();
    timeout.abort();
  }
  return addresses.map(
    address =>
      waiter.results.get(address) ?? {
        address,
        status: 'investigating',
        isReady: false,
        reason: 'status unknown, because no server responded',
      },
  );
}
