import { configDefaults, defineConfig } from 'vitest/config';

/** Tests on whole systems take minutes; `npm run test:all` has them. */
const LONG = process.env['HOSTLER_TEST_ALL'] ? [] : ['**/*.long.test.ts'];

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...LONG],
    globalSetup: ['test/harness/postgres.ts', 'test/harness/hosts/leave-nothing.ts'],
    reporters: ['default', './test/harness/counts-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Many tests wait for real hosts and processes: one worker more than a two-core machine has cores keeps it busy.
    maxWorkers: 3,
  },
});
