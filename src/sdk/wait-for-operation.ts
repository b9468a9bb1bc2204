import type { Client } from './client.ts';
import { delay } from './delay.ts';
import { ApiError, isRetryable } from './errors.ts';
import type { OperationReport } from './records.ts';

const INTERVAL_MS = 2000;
/** Enough for the report of a large operation. Afterwards the next server is asked. */
const REQUEST_TIMEOUT_MS = 30_000;

export interface WaitOptions {
  /** When it aborts, the wait throws its reason. The operation continues. */
  readonly signal?: AbortSignal;
  /** Time between two requests. */
  readonly intervalMs?: number;
}

/**
 * Resolves with the complete report when the operation has ended, with any result. An operation that is paused has not
 * ended. Continues while no server is available.
 */
export async function waitForOperation(
  client: Pick<Client, 'getOperation'>,
  id: string,
  { signal, intervalMs = INTERVAL_MS }: WaitOptions = {},
): Promise<OperationReport> {
  const limits = { timeoutMs: REQUEST_TIMEOUT_MS, ...(signal && { signal }) };
  for (;;) {
    signal?.throwIfAborted();
    let retryAfterS = 0;
    try {
      const { body } = await client.getOperation({ id, query: { limit: 1 }, ...limits });
      if (body.status !== 'in_process') return (await client.getOperation({ id, ...limits })).body;
    } catch (error) {
      if (!isRetryable(error)) throw error;
      if (error instanceof ApiError) retryAfterS = error.retryAfterS ?? 0;
    }
    await delay(Math.max(intervalMs, retryAfterS * 1000), signal);
  }
}
