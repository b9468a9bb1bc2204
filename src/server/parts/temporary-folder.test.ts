import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

test.each([
  ['where all have theirs', tmpdir(), tmpdir()],
  ['in the data directory where that is missing', '/nowhere/at/all', '/srv/data'],
])('temporary files are %s', (_where, usual, expected) => {
  expect(temporaryFolder('/srv/data', usual)).toBe(expected);
});
