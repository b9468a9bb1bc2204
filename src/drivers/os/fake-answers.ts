// What fakes have in common: how they answer, and how they take a command apart.

import type { Argv, Ran } from '../../domain/command.ts';

const encoder = new TextEncoder();

export const said = (exitCode: number, stdout = '', stderr = ''): Ran => ({
  exitCode,
  stdout: encoder.encode(stdout),
  stderr: encoder.encode(stderr),
});

/** The script of `sh -c`, and what it gets; `undefined` for every other command. */
export function scriptOf([program, flag, script, , ...args]: Argv):
  | { readonly script: string; readonly args: readonly string[] }
  | undefined {
  return program === 'sh' && flag === '-c' && script !== undefined ? { script, args } : undefined;
}

/** Whether both run the same script, whatever it gets. */
export const isSameScript = (one: Argv, other: Argv | undefined): boolean => {
  const script = scriptOf(one)?.script;
  return script !== undefined && other !== undefined && script === scriptOf(other)?.script;
};

/** A command without `env` and the variables that it sets. */
export function withoutEnv(argv: readonly string[]): readonly string[] {
  if (argv[0] !== 'env') return argv;
  const start = argv.findIndex((word, index) => index > 0 && !word.includes('='));
  return start === -1 ? [] : argv.slice(start);
}

/** What is no option and no value of `-o`. */
export const wordsOf = (args: readonly string[]): readonly string[] =>
  args.filter((word, index) => !word.startsWith('-') && args[index - 1] !== '-o');
