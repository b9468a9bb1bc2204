import path from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import type { ProductPromise } from '../../promises.ts';
import { PROMISES } from '../../promises.ts';
import { PROJECT } from '../programs/process.ts';
import { countResults } from './counts-reporter.ts';

const MAX_LISTED = 5;

interface PromiseReporterOptions {
  readonly root?: string;
  readonly promises?: readonly ProductPromise[];
}

function formatResult(text: string, modules: readonly TestModule[], filesNotShown: readonly string[]): string {
  const { passed, failed, skipped, pending } = countResults(modules);
  const seconds = Math.round(modules.reduce((sum, module) => sum + module.diagnostic().duration, 0) / 1000);
  const problems = [
    ...(failed + pending > 0 ? [`${failed + pending} FAILED`] : []),
    ...(skipped > 0 ? [`INCOMPLETE: ${skipped} tests skipped`] : []),
    ...(modules.length === 0 ? ['NOT RUN'] : []),
    ...(filesNotShown.length > 0
      ? [
          `NOT SHOWN: no test passed in ${filesNotShown.length} files (${filesNotShown.slice(0, MAX_LISTED).join(', ')})`,
        ]
      : []),
  ];
  const numbers = `${String(passed).padStart(6)} passed ${String(modules.length).padStart(4)} files ${String(seconds).padStart(5)} s`;
  return `${numbers}  ${text}${problems.length > 0 ? `: ${problems.join(', ')}` : ''}`;
}

/**
 * Prints the results by promise at the end of `npm run test:all`. A promise is shown if each of its files that ran has a
 * test that passed, and incomplete if tests were skipped. The run fails if a promise is not shown, unless tests were
 * selected by title, and if no file of a promise ran in a run of all files.
 */
export default class PromiseReporter implements Reporter {
  readonly #root: string;
  readonly #promises: readonly ProductPromise[];
  #vitest: Vitest | undefined;

  constructor({ root = PROJECT, promises = PROMISES }: PromiseReporterOptions = {}) {
    this.#root = root;
    this.#promises = promises;
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const pathOf = ({ moduleId }: TestModule) => path.relative(this.#root, moduleId);
    const isSelectedByTitle = this.#vitest?.config.testNamePattern !== undefined;
    const isRunOfAllFiles = await this.#isRunOfAllFiles(modules);
    const others = new Set(modules);
    const lines = this.#promises.map(({ text, files }) => {
      const own = modules.filter(module => files.some(pattern => path.matchesGlob(pathOf(module), pattern)));
      for (const module of own) others.delete(module);
      const filesNotShown = isSelectedByTitle ? [] : own.filter(module => countResults([module]).passed === 0);
      if (filesNotShown.length > 0 || (own.length === 0 && isRunOfAllFiles)) process.exitCode = 1;
      return formatResult(text, own, filesNotShown.map(pathOf));
    });
    lines.push(formatResult('Other tests', [...others], []));
    process.stdout.write(`\nResults by promise (a test can show several):\n${lines.join('\n')}\n`);
  }

  /** False if files or projects were selected. */
  async #isRunOfAllFiles(modules: readonly TestModule[]): Promise<boolean> {
    if (this.#vitest === undefined || this.#vitest.config.project.length > 0) return false;
    return (await this.#vitest.globTestSpecifications()).length === modules.length;
  }
}
