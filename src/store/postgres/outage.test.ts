import { describe, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../domain/errors.ts';
import { LostConnection } from './failures.ts';
import { Outage } from './outage.ts';

const lost = new LostConnection('cut');

describe('what has failed', () => {
  test.each([
    ['since its connection was lost just now', lost, [0], true],
    ['and again, in the same outage', lost, [0, 2400], true],
    ['when the outage has lasted for too long', lost, [0, 2600], false],
    ['since it was waited for too long', new StoreUnavailableError('hangs'), [0], false],
    ['by its own fault', new Error('syntax'), [0], false],
  ])('%s', async (_what, error, failuresAtMs, isWorthAnotherTry) => {
    let nowMs = 0;
    const outage = new Outage(() => nowMs);
    let passes: boolean | undefined;
    for (nowMs of failuresAtMs) passes = await outage.passes(error, 1);
    expect(passes).toBe(isWorthAnotherTry);
  });

  test('is tried again when something has come through since', async () => {
    let nowMs = 0;
    const outage = new Outage(() => nowMs);
    await outage.passes(lost, 1);
    outage.end();
    nowMs = 10_000;
    expect(await outage.passes(lost, 1)).toBe(true);
  });

  test('is not tried for ever, also when others come through', async () => {
    expect(await new Outage().passes(lost, 20)).toBe(false);
  });
});
