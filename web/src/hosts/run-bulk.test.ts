import { describe, expect, test } from 'vitest';
import { ApiError } from '#sdk/errors.ts';
import { runBulk, unfinishedAddresses } from './run-bulk.ts';

const apiError = (status: number) =>
  new ApiError(status, {
    ...{ type: 'about:blank', title: '', status, code: 'x', request_id: '', detail: 'no' },
  });
const ADDRESSES = Array.from({ length: 40 }, (_, index) => `127.0.0.${index + 1}`);
const options = (signal = new AbortController().signal) => ({ signal, onProgress: () => undefined });

test('unfinishedAddresses returns rejected and unattempted hosts', () => {
  const rejected = [{ address: '::1', error: apiError(409) }];
  expect(unfinishedAddresses({ total: 3, done: 1, rejected, notAttempted: ['::2'], isFinished: true })).toEqual([
    '::1',
    '::2',
  ]);
});

describe('runBulk', () => {
  test('runs once per host, eight at a time', async () => {
    const attempted: string[] = [];
    let [active, maxActive] = [0, 0];
    const { done, isFinished } = await runBulk(
      ADDRESSES,
      async address => {
        attempted.push(address);
        active += 1;
        maxActive = Math.max(maxActive, active);
        await Promise.resolve();
        active -= 1;
      },
      options(),
    );
    expect({ done, isFinished, maxActive }).toEqual({ done: 40, isFinished: true, maxActive: 8 });
    expect(attempted).toEqual(ADDRESSES);
  });

  test('continues after an error that concerns a single host', async () => {
    const error = apiError(409);
    const result = await runBulk(
      ADDRESSES,
      async address => {
        if (address === '127.0.0.3') throw error;
      },
      options(),
    );
    expect(result).toMatchObject({ done: 39, rejected: [{ address: '127.0.0.3', error }], notAttempted: [] });
  });

  test('stops after an error that concerns all hosts and reports the rest as not attempted', async () => {
    const result = await runBulk(
      ADDRESSES,
      async address => {
        if (address === '127.0.0.3') throw apiError(403);
      },
      options(),
    );
    expect(result.error).toBeInstanceOf(ApiError);
    expect(result.notAttempted).toContain('127.0.0.3');
    expect(result.done + result.notAttempted.length).toBe(40);
  });

  test('starts no further host after it is aborted', async () => {
    const abort = new AbortController();
    const result = await runBulk(
      ADDRESSES,
      async address => {
        if (address === '127.0.0.9') abort.abort();
      },
      options(abort.signal),
    );
    expect(result.done).toBeLessThan(40);
    expect(result.notAttempted).toEqual(ADDRESSES.slice(result.done));
  });
});
