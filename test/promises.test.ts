import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PROJECT } from './harness/programs/process.ts';
import { PROMISES } from './promises.ts';

describe.each(PROMISES)('the promise "$text"', ({ files }) => {
  test.each(files)('has tests in %s', pattern => {
    expect(globSync(pattern, { cwd: PROJECT })).not.toEqual([]);
  });
});
