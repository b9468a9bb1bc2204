import { describe, expect, test } from 'vitest';
import type { ProductPromise } from '../../promises.ts';
import { runVitest } from './run-vitest.ts';

const FAIL = "() => { throw new Error('hook failed'); }";

describe('CountsReporter', () => {
  test('counts each failed hook of a suite as a failure', async () => {
    const files = {
      'before-all.test.js': `describe('outer', () => {
        test('passes', () => {});
        describe('inner', () => { beforeAll(${FAIL}); test('one', () => {}); test('two', () => {}); });
      });`,
      'after-all.test.js': `describe('outer', () => {
        describe('inner', () => { afterAll(${FAIL}); test('passes', () => {}); });
      });`,
      'file.test.js': `beforeAll(${FAIL}); test('one', () => {});`,
    };
    const { output } = await runVitest(
      files,
      "{ reporters: ['default', new (await load('counts-reporter.ts')).default()] }",
    );
    expect(output).toMatch(/^2 passed, 3 failed, 3 skipped$/m);
  });
});

describe('PromiseReporter', () => {
  const shown = { text: 'Shown', files: ['shown.test.js'] };
  const reporter = (promises: readonly ProductPromise[]) =>
    `{ reporters: [new (await load('promise-reporter.ts')).default({ root, promises: ${JSON.stringify(promises)} })] }`;
  const passing = "test('passes', () => {});";

  test('reports promises with skipped, failed and missing tests', async () => {
    const files = {
      'shown.test.js': passing,
      'incomplete.test.js': `${passing} test.skip('one', () => {}); test.skip('two', () => {});`,
      'skipped.test.js': "test.skip('one', () => {});",
      'failed.test.js': `${passing} describe('suite', () => { beforeAll(${FAIL}); test('one', () => {}); });`,
      'other.test.js': passing,
    };
    const promises = [
      shown,
      { text: 'Incomplete', files: ['incomplete.test.js'] },
      { text: 'Skipped', files: ['{shown,skipped}.test.js'] },
      { text: 'Failed', files: ['failed.test.js'] },
      { text: 'Missing', files: ['missing.test.js'] },
    ];
    const { output } = await runVitest(files, reporter(promises));
    const lines = output.split('\n').map(line => line.replace(/^ *(\d+) passed +(\d+) files +\d+ s {2}/, '$1 of $2: '));
    expect(lines.slice(lines.findIndex(line => line.startsWith('Results by promise')) + 1)).toEqual([
      '1 of 1: Shown',
      '1 of 1: Incomplete: INCOMPLETE: 2 tests skipped',
      '1 of 2: Skipped: INCOMPLETE: 1 tests skipped, NOT SHOWN: no test passed in 1 files (skipped.test.js)',
      '1 of 1: Failed: 1 FAILED, INCOMPLETE: 1 tests skipped',
      '0 of 0: Missing: NOT RUN',
      '1 of 1: Other tests',
      '',
    ]);
  });

  const files = { 'shown.test.js': passing, 'other.test.js': passing };
  const withMissing = reporter([shown, { text: 'Missing', files: ['missing.test.js'] }]);

  test.each<[string, string, readonly string[], number]>([
    ['passes if each promise is shown', reporter([shown]), [], 0],
    ['fails if no file of a promise ran', withMissing, [], 1],
    ['passes if no file of a promise ran, because files were selected', withMissing, ['shown'], 0],
  ])('a run %s', async (_case, options, filters, code) => {
    expect(await runVitest(files, options, filters)).toMatchObject({ code });
  });
});
