import { mkdirSync, writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

export type ResultCounts = Record<'passed' | 'failed' | 'skipped' | 'pending', number>;

/**
 * A file that fails to load counts as a failure, and so does each suite with failed hooks: the tests of a suite whose
 * `beforeAll` fails count as skipped.
 */
export function countResults(modules: readonly TestModule[]): ResultCounts {
  const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  for (const module of modules) {
    for (const suite of [module, ...module.children.allSuites()]) counts.failed += suite.errors().length;
    for (const test of module.children.allTests()) counts[test.result().state] += 1;
  }
  return counts;
}

/** Saves the test counts for the last line of `.ci/run`. */
export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]) {
    const { passed, failed, skipped, pending } = countResults(modules);
    const line = `${passed} passed, ${failed + pending + unhandledErrors.length} failed, ${skipped} skipped\n`;
    mkdirSync('.cache', { recursive: true });
    writeFileSync('.cache/test-counts', line);
    process.stdout.write(`\n${line}`);
  }
}
