import { describe, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { ConnectionLostError, OutageRetry } from './errors.ts';

const lost = new ConnectionLostError('cut');

describe('OutageRetry', () => {
  test.each([
    ['retries after a lost connection', lost, [0], true],
    ['retries again in a short outage', lost, [0, 2400], true],
    ['does not retry in a long outage', lost, [0, 2600], false],
    ['does not retry after a timeout', new StoreUnavailableError('hangs'), [0], false],
    ['does not retry an error of the statement', new Error('syntax'), [0], false],
  ])('%s', async (_case, error, failuresAtMs, expected) => {
    let nowMs = 0;
    const retry = new OutageRetry(() => nowMs);
    let result: boolean | undefined;
    for (nowMs of failuresAtMs) result = await retry.shouldRetry(error, 1);
    expect(result).toBe(expected);
  });

  test('retries again after a query has succeeded', async () => {
    let nowMs = 0;
    const retry = new OutageRetry(() => nowMs);
    await retry.shouldRetry(lost, 1);
    retry.reset();
    nowMs = 10_000;
    expect(await retry.shouldRetry(lost, 1)).toBe(true);
  });

  test('stops after the maximum number of attempts even if other queries succeed', async () => {
    expect(await new OutageRetry().shouldRetry(lost, 20)).toBe(false);
  });
});
