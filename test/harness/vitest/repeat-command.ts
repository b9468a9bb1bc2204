import path from 'node:path';
import { expect, onTestFailed } from 'vitest';
import { IS_LONG_RUN } from './long-run.ts';

/** Returns the command that repeats the current test file with this setting, in a long run if this is one. */
export function formatRepeatCommand(name: string, value: number): string {
  const longRunPrefix = IS_LONG_RUN ? 'HOSTLER_TEST_ALL=1 ' : '';
  return `${name}=${value} ${longRunPrefix}npx vitest run ${path.relative(process.cwd(), expect.getState().testPath ?? '')}`;
}

/** Prints the command if the current test fails or times out. `value` returns the seed at that time. */
export function printRepeatCommandOnFailure(name: string, value: () => number): void {
  onTestFailed(() => void process.stdout.write(`To repeat: ${formatRepeatCommand(name, value())}\n`));
}
