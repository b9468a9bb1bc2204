/** Where time comes from. Everything that needs it is given one, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since 1970, for what is shown and stored. */
  now(): number;
  /** Milliseconds that only ever rise, for measuring how long something takes. */
  monotonicMs(): number;
}

/** A clock that also wakes those who wait. */
export interface TimerClock extends Clock {
  /** Calls back once, after so long. Answers what calls it off. */
  setTimer(ms: number, callback: () => void): () => void;
}

/** Node's timers know no more; what is longer is called back too early, and looks again. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: TimerClock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Ends after so long, or at once when the signal calls it off. */
export function sleep(clock: TimerClock, ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted) return Promise.resolve();
  return new Promise(resolve => {
    const wake = () => {
      cancel();
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    const cancel = clock.setTimer(ms, wake);
    signal?.addEventListener('abort', wake);
  });
}

/** Throws an error with the text `tooLate` if the work takes longer than `ms`. */
export async function withTimeout<T>(
  clock: TimerClock,
  ms: number,
  run: () => Promise<T>,
  message = `no response within ${ms / 1000} s`,
): Promise<T> {
  const settled = new AbortController();
  const timeout = sleep(clock, ms, settled.signal).then(() => {
    if (!settled.signal.aborted) throw new Error(message);
    return new Promise<never>(() => {});
  });
  try {
    return await Promise.race([run(), timeout]);
  } finally {
    settled.abort();
  }
}

/** Waits for something, but not longer than so long: then it answers `undefined`. */
export async function waitUpTo<T>(
  clock: TimerClock,
  ms: number,
  run: () => Promise<T>,
): Promise<T | undefined> {
  const settled = new AbortController();
  try {
    return (await Promise.race([run(), sleep(clock, ms, settled.signal)])) ?? undefined;
  } finally {
    settled.abort();
  }
}

/** Begins to measure. What it answers tells how many seconds have passed since. */
export function stopwatch(): () => number {
  const startedMs = performance.now();
  return () => (performance.now() - startedMs) / 1000;
}

export const DAY_MS = 86_400_000;
