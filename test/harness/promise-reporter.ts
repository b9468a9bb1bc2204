import path from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { PROMISES } from '../promises.ts';
import { countResults } from './counts-reporter.ts';
import { PROJECT } from './programs/process.ts';

const MAX_LISTED = 5;

const pathOf = ({ moduleId }: TestModule): string => path.relative(PROJECT, moduleId);

function formatResult(text: string, modules: readonly TestModule[], skippedFiles: readonly string[]): string {
  const { passed, failed, skipped, pending } = countResults(modules);
  const seconds = Math.round(modules.reduce((sum, module) => sum + module.diagnostic().duration, 0) / 1000);
  const problems = [
    ...(failed + pending > 0 ? [`${failed + pending} FAILED`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(modules.length === 0 ? ['not run'] : []),
    ...(skippedFiles.length > 0
      ? [`NOT SHOWN: no test passed in ${skippedFiles.length} files (${skippedFiles.slice(0, MAX_LISTED).join(', ')})`]
      : []),
  ];
  const numbers = `${String(passed).padStart(6)} passed ${String(modules.length).padStart(4)} files ${String(seconds).padStart(5)} s`;
  return `${numbers}  ${text}${problems.length > 0 ? `: ${problems.join(', ')}` : ''}`;
}

/**
 * Prints the results by promise at the end of `npm run test:all`. A promise is shown if each of its files that ran has a
 * test that passed. The run fails if a promise is not shown, unless tests were selected by title.
 */
export default class PromiseReporter implements Reporter {
  #selectsByTitle = false;

  onInit({ config }: Vitest): void {
    this.#selectsByTitle = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const others = new Set(modules);
    const lines = PROMISES.map(({ text, files }) => {
      const own = modules.filter(module => files.some(pattern => path.matchesGlob(pathOf(module), pattern)));
      for (const module of own) others.delete(module);
      const skippedFiles = this.#selectsByTitle ? [] : own.filter(module => countResults([module]).passed === 0);
      if (skippedFiles.length > 0) process.exitCode = 1;
      return formatResult(text, own, skippedFiles.map(pathOf));
    });
    lines.push(formatResult('Other tests', [...others], []));
    process.stdout.write(`\nResults by promise (a test can show several):\n${lines.join('\n')}\n`);
  }
}
