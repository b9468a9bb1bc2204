import { mkdirSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Saves the test counts for the last line of `.ci/run`. A file that fails to load counts as a failure. */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) counts[test.result().state] += 1;
    }
    const line = `${counts.passed} passed, ${counts.failed + counts.pending} failed, ${counts.skipped} skipped\n`;
    mkdirSync('.cache', { recursive: true });
    writeFileSync('.cache/test-counts', line);
    process.stdout.write(`\n${line}`);
  }
}
