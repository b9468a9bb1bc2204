import type { Terminal } from './terminal.ts';

/** Does something that Ctrl-C ends by way of the signal, not by the end of the program, so that it can leave things in order. */
export async function untilInterrupted<Result>(
  terminal: Pick<Terminal, 'onInterrupt'>,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const asBefore = terminal.onInterrupt(() => over.abort());
  try {
    return await work(over.signal);
  } finally {
    asBefore();
  }
}
