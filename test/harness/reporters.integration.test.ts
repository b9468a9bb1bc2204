import { describe, expect, test } from 'vitest';
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
