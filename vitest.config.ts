import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/harness/postgres.ts'],
    reporters: ['default', './test/harness/counts-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Argon2 and SQLite work in threads of their own; two workers keep a two-core machine busy.
    maxWorkers: 2,
  },
});
