import { describe, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { ConnectionLostError, OutageRetry } from './errors.ts';

const lost = new ConnectionLostError('cut');

describe('what has failed', () => {
  test.each([
    ['since its connection was lost just now', lost, [0], true],
    ['and again, in the same outage', lost, [0, 2400], true],
    ['when the outage has lasted for too long', lost, [0, 2600], false],
    ['since it was waited for too long', new StoreUnavailableError('hangs'), [0], false],
    ['by its own fault', new Error('syntax'), [0], false],
  ])('%s', async (_what, error, failuresAtMs, expected) => {
    let nowMs = 0;
    const retry = new OutageRetry(() => nowMs);
    let result: boolean | undefined;
    for (nowMs of failuresAtMs) result = await retry.shouldRetry(error, 1);
    expect(result).toBe(expected);
  });

  test('is tried again when something has come through since', async () => {
    let nowMs = 0;
    const retry = new OutageRetry(() => nowMs);
    await retry.shouldRetry(lost, 1);
    retry.reset();
    nowMs = 10_000;
    expect(await retry.shouldRetry(lost, 1)).toBe(true);
  });

  test('is not tried for ever, also when others come through', async () => {
    expect(await new OutageRetry().shouldRetry(lost, 20)).toBe(false);
  });
});
