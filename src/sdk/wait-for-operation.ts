import type { Client } from './client.ts';
import { isRetryable } from './errors.ts';
import type { OperationReport } from './records.ts';

const INTERVAL_MS = 2000;

interface WaitOptions {
  readonly signal?: AbortSignal;
  /** Time between two requests. */
  readonly intervalMs?: number;
}

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/**
 * Resolves with the complete report when the operation has ended, with any result. An operation that is paused has not
 * ended. Continues while no server responds.
 */
export async function waitForOperation(
  client: Pick<Client, 'getOperation'>,
  id: string,
  { signal, intervalMs = INTERVAL_MS }: WaitOptions = {},
): Promise<OperationReport> {
  const abort = signal === undefined ? {} : { signal };
  for (;;) {
    signal?.throwIfAborted();
    try {
      const { body } = await client.getOperation({ id, query: { limit: 1 }, ...abort });
      if (body.status !== 'in_process') return (await client.getOperation({ id, ...abort })).body;
    } catch (error) {
      if (!isRetryable(error)) throw error;
    }
    await delay(intervalMs, signal);
  }
}
