import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { operationResponse } from '../../test/harness/events/operation-responses.ts';
import type { Client } from './client.ts';
import { createClient as createHttpClient } from './client.ts';
import { ApiError } from './errors.ts';
import { waitForOperation } from './wait-for-operation.ts';

type Status = 'in_process' | 'finished' | 'failed';

const createError = (status: number, retryAfterS?: number) =>
  new ApiError(
    status,
    { type: 'about:blank', title: '', status, code: 'x', request_id: '', detail: 'no' },
    retryAfterS,
  );

/** Returns these statuses or errors, one per request; the last one is repeated. */
function createClient(...answers: readonly (Status | ApiError)[]) {
  const limits: (number | undefined)[] = [];
  const client: Pick<Client, 'getOperation'> = {
    getOperation: async ({ query, timeoutMs }) => {
      // A server that accepts the connection and never responds must not end the wait.
      expect(timeoutMs).toBeGreaterThan(0);
      const answer = answers[Math.min(limits.length, answers.length - 1)];
      limits.push(query?.limit);
      if (answer instanceof ApiError) throw answer;
      const { report } = operationResponse({}, { status: answer ?? 'finished' });
      return { status: 200, headers: new Headers(), body: report };
    },
  };
  return { client, limits };
}

describe('waitForOperation', () => {
  test.each<[Status]>([['finished'], ['failed']])('returns the complete report when the operation is %s', async end => {
    const { client, limits } = createClient('in_process', 'in_process', end);
    expect((await waitForOperation(client, 'id', { intervalMs: 0 })).status).toBe(end);
    expect(limits).toEqual([1, 1, 1, undefined]);
  });

  test('continues while no server responds', async () => {
    const { client } = createClient(createError(503), 'in_process', createError(502), 'finished');
    expect((await waitForOperation(client, 'id', { intervalMs: 0 })).status).toBe('finished');
  });

  test.each([404, 500])('throws the error %i, which a retry does not correct', async status => {
    const { client } = createClient(createError(status), 'finished');
    await expect(waitForOperation(client, 'id', { intervalMs: 0 })).rejects.toMatchObject({ status });
  });

  test('waits as long as the server requests', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { client, limits } = createClient(createError(429, 60), 'finished');
    const waiting = waitForOperation(client, 'id');
    await vi.advanceTimersByTimeAsync(59_000);
    expect(limits).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect((await waiting).status).toBe('finished');
  });

  test('stops when it is aborted during a request', async () => {
    const abort = new AbortController();
    const { client: server, limits } = createClient('in_process');
    const client: typeof server = {
      getOperation: async request => {
        abort.abort(new Error('enough'));
        return server.getOperation(request);
      },
    };
    const waiting = waitForOperation(client, 'id', { signal: abort.signal, intervalMs: 60_000 });
    await expect(waiting).rejects.toThrow('enough');
    expect(limits).toHaveLength(1);
  });

  test('throws the reason of an abort that breaks a request', async () => {
    const abort = new AbortController();
    const client = createHttpClient({
      ...{ baseUrl: 'http://127.0.0.1:1', headers: {} },
      transport: async (_url, { signal }) => {
        abort.abort(new Error('enough'));
        throw signal?.reason;
      },
    });
    await expect(waitForOperation(client, 'id', { signal: abort.signal })).rejects.toThrow('enough');
  });

  test('stops when it is aborted', async () => {
    const { client, limits } = createClient('in_process');
    const abort = new AbortController();
    const waiting = waitForOperation(client, 'id', { signal: abort.signal, intervalMs: 60_000 });
    await new Promise(resolve => setImmediate(resolve));
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(waitForOperation(client, 'id', { signal: abort.signal })).rejects.toThrow('enough');
    expect(limits).toHaveLength(1);
  });
});
