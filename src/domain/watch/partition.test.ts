import { describe, expect, test } from 'vitest';
import { looksPartitioned } from './partition.ts';

describe('whether a server looks partitioned', () => {
  test.each([
    ['nobody was looked at', 0, 0, false],
    ['its only host is silent', 1, 0, false],
    ['both of its hosts are silent: that may happen', 2, 0, false],
    ['all of three are silent', 3, 0, true],
    ['two of three are silent', 2, 1, false],
    ['three of four are silent', 3, 1, true],
    ['half of them are silent: that is not most', 3, 3, false],
    ['a tenth of many is silent', 10, 90, false],
    ['most of many are silent', 51, 49, true],
  ])('%s', (_what, silent, answered, isIt) => {
    expect(looksPartitioned({ silent, answered })).toBe(isIt);
  });
});
