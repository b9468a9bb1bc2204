// Waits until hosts are ready or have failed. Invariant: no change is missed, even if servers fail. Therefore
// the event position is read first, then the status of each host, and then the events after this position.

import type { HostStatus } from '../../../domain/vocabulary.ts';
import { sleep } from '../../../lib/time/clock.ts';
import { ApiError, isRetryable } from '../../../sdk/errors.ts';
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

interface WaitContext extends Pick<Session, 'client' | 'follow'> {
  readonly terminal: Pick<Session['terminal'], 'clock'>;
}

const RETRY_DELAY_MS = 1000;

/** A host without a cluster is ready after its bootstrap. */
function isReady({ status, cluster }: StatusReport['host']): boolean {
  return status === 'active' || (status === 'disassociated' && cluster === undefined);
}

function toWaitResult(address: string, { host }: StatusReport): WaitResult {
  const { status, reason = '', tasks } = host;
  return { address, status, isReady: isReady(host), reason: reason || tasks.map(formatTask).join('; ') };
}

const isDone = ({ isReady: ready, status }: WaitResult) => ready || status === 'failed' || status === 'removed';

/** Returns the state of each host. A host that is neither ready nor failed has its state at the timeout. */
export async function waitForHosts(
  { client, follow, terminal: { clock } }: WaitContext,
  addresses: readonly string[],
  { timeoutMs, signal: interrupted, onDone }: WaitOptions,
): Promise<readonly WaitResult[]> {
  const timeout = new AbortController();
  const cancelTimeout = clock.setTimer(timeoutMs, () => timeout.abort());
  const signal = AbortSignal.any([timeout.signal, interrupted]);
  const results = new Map<string, WaitResult>();
  const remaining = new Set(addresses);

  /** Returns `undefined` after the timeout or an interrupt. */
  async function retryWhileUnavailable<Result>(request: () => Promise<Result>): Promise<Result | undefined> {
    while (!signal.aborted) {
      try {
        return await request();
      } catch (error) {
        if (signal.aborted) break;
        if (!isRetryable(error)) throw error;
        await sleep(clock, RETRY_DELAY_MS, signal);
      }
    }
    return undefined;
  }

  async function fetchStatus(address: string): Promise<WaitResult | undefined> {
    try {
      const response = await retryWhileUnavailable(() => client.getHostStatus({ address, signal }));
      return response && toWaitResult(address, response.body);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404)
        return { address, status: 'removed', isReady: false, reason: 'another user removed it' };
      throw error;
    }
  }

  async function refresh(address: string): Promise<void> {
    const result = await fetchStatus(address);
    if (result === undefined) return;
    results.set(address, result);
    if (isDone(result) && remaining.delete(address)) onDone(result);
  }

  const refreshAll = () => mapConcurrent([...remaining], refresh);

  try {
    const response = await retryWhileUnavailable(() => client.listHosts({ query: { limit: 1 } }));
    const after = response === undefined ? 0 : getEventPosition(response.headers);
    await refreshAll();
    const query = { after, host: addresses.length === 1 ? addresses[0] : undefined };
    if (remaining.size > 0)
      for await (const event of follow({ query, signal })) {
        const host = event.type === 'host.status' || event.type === 'host.removed' ? event.host : null;
        if (event.type === 'reset') await refreshAll();
        else if (host !== null && remaining.has(host)) await refresh(host);
        if (remaining.size === 0) break;
      }
  } finally {
    cancelTimeout();
    timeout.abort();
  }
  const reason = 'status unknown, because no server responded';
  return addresses.map(address => results.get(address) ?? { address, status: 'investigating', isReady: false, reason });
}
