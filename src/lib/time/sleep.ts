import type { AlarmClock } from './clock.ts';

/** Ends after so long, or at once when the signal calls it off. */
export function sleep(clock: AlarmClock, ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted) return Promise.resolve();
  return new Promise(resolve => {
    const wake = () => {
      callOff();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const callOff = clock.after(ms, wake);
    signal?.addEventListener('abort', wake);
  });
}

/** Throws an error with the text `tooLate` if the work takes longer than `ms`. */
export async function inTime<T>(
  clock: AlarmClock,
  ms: number,
  work: () => Promise<T>,
  tooLate = `no response within ${ms / 1000} s`,
): Promise<T> {
  const over = new AbortController();
  const late = sleep(clock, ms, over.signal).then(() => {
    if (!over.signal.aborted) throw new Error(tooLate);
    return new Promise<never>(() => {});
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    over.abort();
  }
}

/** Waits for something, but not longer than so long: then it answers `undefined`. */
export async function within<T>(
  clock: AlarmClock,
  ms: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const over = new AbortController();
  try {
    return (await Promise.race([work(), sleep(clock, ms, over.signal)])) ?? undefined;
  } finally {
    over.abort();
  }
}
