import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { PROMISES, showsPromise } from '../promises.ts';
import { PROJECT } from './programs/process.ts';

interface Result {
  readonly text: string;
  readonly files: number;
  readonly counts: Readonly<Record<'passed' | 'failed' | 'skipped' | 'pending', number>>;
  readonly seconds: number;
}

function summarize(text: string, modules: readonly TestModule[]): Result {
  const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 };
  let ms = 0;
  for (const module of modules) {
    ms += module.diagnostic().duration;
    counts.failed += module.errors().length;
    for (const test of module.children.allTests()) counts[test.result().state] += 1;
  }
  return { text, files: modules.length, counts, seconds: Math.round(ms / 1000) };
}

function formatResult({ text, files, counts, seconds }: Result): string {
  const { passed, failed, skipped, pending } = counts;
  const problems = [
    ...(failed + pending > 0 ? [`${failed + pending} FAILED`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(passed === 0 ? ['NOT SHOWN'] : []),
  ];
  const numbers = `${String(passed).padStart(6)} passed ${String(files).padStart(4)} files ${String(seconds).padStart(5)} s`;
  return `${numbers}  ${text}${problems.length > 0 ? `: ${problems.join(', ')}` : ''}`;
}

/** Prints the results by promise at the end of `npm run test:all`. */
export default class PromiseReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const pathOf = ({ moduleId }: TestModule) => path.relative(PROJECT, moduleId);
    const results = PROMISES.map(promise =>
      summarize(
        promise.text,
        modules.filter(module => showsPromise(promise, pathOf(module))),
      ),
    );
    const others = modules.filter(module => !PROMISES.some(promise => showsPromise(promise, pathOf(module))));
    const lines = [...results, summarize('Other tests', others)].map(formatResult);
    process.stdout.write(`\nResults by promise (a test can show several):\n${lines.join('\n')}\n`);
  }
}
