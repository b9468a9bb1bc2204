import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PROJECT } from './harness/programs/process.ts';
import { PROMISES } from './promises.ts';

/** One pattern for each alternative in braces, so that each must match a file. */
function expandBraces(pattern: string): string[] {
  const [, before, list, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return list === undefined ? [pattern] : list.split(',').map(part => `${before}${part}${after}`);
}

const isShort = (file: string): boolean => !file.endsWith('.long.test.ts');

describe.each(PROMISES)('the promise "$text"', ({ files }) => {
  test('has a test in npm test', () => {
    expect(files.flatMap(pattern => globSync(pattern, { cwd: PROJECT })).filter(isShort)).not.toEqual([]);
  });

  test.each(files.flatMap(expandBraces))('has tests in %s', pattern => {
    expect(globSync(pattern, { cwd: PROJECT })).not.toEqual([]);
  });
});

/** Each file in these folders shows a promise. */
const PROMISED = ['src/{engine,procedures,store}/**/*.test.ts', 'test/{engine,hosts,process}/**/*.test.ts'];

test.each(PROMISED)('every file in %s belongs to a promise', pattern => {
  const patterns = PROMISES.flatMap(({ files }) => files);
  const unmatched = globSync(pattern, { cwd: PROJECT }).filter(
    file => !patterns.some(promised => path.matchesGlob(file, promised)),
  );
  expect(unmatched).toEqual([]);
});
