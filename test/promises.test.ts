import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PROJECT } from './harness/programs/process.ts';
import { PROMISES } from './promises.ts';

/** One pattern for each alternative in braces, so that each must match a file. */
function expandBraces(pattern: string): string[] {
  const [, before, list, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return list === undefined ? [pattern] : list.split(',').map(part => `${before}${part}${after}`);
}

describe.each(PROMISES)('the promise "$text"', ({ files }) => {
  test.each(files.flatMap(expandBraces))('has tests in %s', pattern => {
    expect(globSync(pattern, { cwd: PROJECT })).not.toEqual([]);
  });
});
