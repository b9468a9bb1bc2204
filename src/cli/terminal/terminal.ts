// Where a person, or a script, sits: what is typed, what is shown, how wide it is. Commands know nothing else of the process, so that
// tests can be a terminal.

import type { TimerClock } from '../../lib/time/clock.ts';

export interface RunOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Tells the program to end. */
  readonly signal: AbortSignal;
}

export interface Terminal {
  /** Somebody looks at it; else it is a pipe or a file. */
  readonly isStdoutTty: boolean;
  /** Somebody looks at it, and what is written can be written over in its place. */
  readonly supportsCursor: boolean;
  /** In characters. */
  readonly columns: number;
  readonly rows: number;
  readonly hasColor: boolean;
  /** Somebody sees what is said the moment it is said, so a line may be written over. */
  readonly isStderrTty: boolean;
  /** Somebody can be asked. */
  readonly canPrompt: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: TimerClock;
  /** What was asked for. */
  writeOut(text: string): void;
  /** What is said about it. */
  writeErr(text: string): void;
  /** Asks for a line; a secret one is not shown. */
  prompt(question: string, options?: { readonly isSecret?: boolean }): Promise<string>;
  /** All of the standard input. */
  readStdin(): Promise<string>;
  /** Calls back at Ctrl-C, and at signals that end programs, instead of ending; answers what makes it as before. */
  onInterrupt(callback: () => void): () => void;
  /** Lets another program have the terminal until it ends; answers its exit code, as a shell would have it. */
  run(program: string, args: readonly string[], options: RunOptions): Promise<number>;
}

/** Does something that Ctrl-C ends by way of the signal, not by the end of the program, so that it can leave things in order. */
export async function withInterruptSignal<Result>(
  terminal: Pick<Terminal, 'onInterrupt'>,
  action: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const restore = terminal.onInterrupt(() => controller.abort());
  try {
    return await action(controller.signal);
  } finally {
    restore();
  }
}
