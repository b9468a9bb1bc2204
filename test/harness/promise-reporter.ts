import path from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { PROMISES, showsPromise } from '../promises.ts';
import type { ResultCounts } from './counts-reporter.ts';
import { countResults } from './counts-reporter.ts';
import { PROJECT } from './programs/process.ts';

interface Result {
  readonly text: string;
  readonly files: number;
  readonly counts: Readonly<ResultCounts>;
  readonly seconds: number;
}

function summarize(text: string, modules: readonly TestModule[]): Result {
  const ms = modules.reduce((sum, module) => sum + module.diagnostic().duration, 0);
  return { text, files: modules.length, counts: countResults(modules), seconds: Math.round(ms / 1000) };
}

/** Whether no test of the files passed, for example because all were skipped. */
const isNotShown = ({ files, counts }: Result): boolean => files > 0 && counts.passed === 0;

function formatResult(result: Result): string {
  const { text, files, counts, seconds } = result;
  const { passed, failed, skipped, pending } = counts;
  const problems = [
    ...(failed + pending > 0 ? [`${failed + pending} FAILED`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(files === 0 ? ['not run'] : []),
    ...(isNotShown(result) ? ['NOT SHOWN'] : []),
  ];
  const numbers = `${String(passed).padStart(6)} passed ${String(files).padStart(4)} files ${String(seconds).padStart(5)} s`;
  return `${numbers}  ${text}${problems.length > 0 ? `: ${problems.join(', ')}` : ''}`;
}

/**
 * Prints the results by promise at the end of `npm run test:all`. The run fails if a promise is not shown, unless tests
 * were selected by title.
 */
export default class PromiseReporter implements Reporter {
  #selectsByTitle = false;

  onInit({ config }: Vitest): void {
    this.#selectsByTitle = config.testNamePattern !== undefined;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const pathOf = ({ moduleId }: TestModule) => path.relative(PROJECT, moduleId);
    const results = PROMISES.map(promise =>
      summarize(
        promise.text,
        modules.filter(module => showsPromise(promise, pathOf(module))),
      ),
    );
    const others = modules.filter(module => !PROMISES.some(promise => showsPromise(promise, pathOf(module))));
    if (!this.#selectsByTitle && results.some(isNotShown)) process.exitCode = 1;
    const lines = [...results, summarize('Other tests', others)].map(formatResult);
    process.stdout.write(`\nResults by promise (a test can show several):\n${lines.join('\n')}\n`);
  }
}
