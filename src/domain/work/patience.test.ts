import { describe, expect, test } from 'vitest';
import type { Patience } from './patience.ts';
import { isOutOfPatience, pauseMs } from './patience.ts';

const patience: Patience = { firstPauseMs: 2000, longestPauseMs: 60_000, giveUpAfterMs: 600_000 };

describe('patience', () => {
  test.each([
    [1, 2000],
    [2, 4000],
    [3, 8000],
    [5, 32_000],
    [6, 60_000],
    [5000, 60_000],
  ])('the pause after %i attempts is at most %i ms, at least half of that', (attempts, longest) => {
    expect(pauseMs(patience, attempts, 1)).toBe(longest);
    expect(pauseMs(patience, attempts, 0)).toBe(longest / 2);
  });

  test.each([
    [0, false],
    [599_999, false],
    [600_000, true],
  ])('after %i ms it is out: %s', (spentMs, isOut) => {
    expect(isOutOfPatience(patience, spentMs)).toBe(isOut);
  });

  test('some never give up', () => {
    expect(isOutOfPatience({ ...patience, giveUpAfterMs: null }, Number.MAX_SAFE_INTEGER)).toBe(false);
  });
});
