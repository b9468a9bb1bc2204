// Commands access the process only through this interface, so that tests can replace it.

import type { TimerClock } from '../../lib/time/clock.ts';

export interface RunOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

export interface Terminal {
  /** False for a pipe or a file. */
  readonly isStdoutTty: boolean;
  /** Whether stdout is a terminal that can move the cursor. */
  readonly supportsCursor: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly hasColor: boolean;
  /** Whether stderr is a terminal that can update a line in place. */
  readonly isStderrTty: boolean;
  readonly canPrompt: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: TimerClock;
  writeOut(text: string): void;
  writeErr(text: string): void;
  /** Reads a line. A secret is not echoed. */
  prompt(question: string, options?: { readonly isSecret?: boolean }): Promise<string>;
  readStdin(): Promise<string>;
  /** Returns the addresses of a DNS name. */
  lookup(hostname: string): Promise<readonly string[]>;
  /** Calls back at Ctrl-C and termination signals instead of exiting. Returns a function that ends this. */
  onInterrupt(callback: () => void): () => void;
  /** Runs a program with this terminal. Returns its exit code as a shell reports it. */
  run(program: string, args: readonly string[], options: RunOptions): Promise<number>;
}

/** Ctrl-C aborts the action through the signal instead of ending the process, so that it can clean up. */
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
