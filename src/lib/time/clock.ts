/** Always passed in, so that tests control it. */
export interface Clock {
  /** Milliseconds since 1970, for display and storage. */
  now(): number;
  /** Milliseconds that never decrease, for durations. */
  monotonicMs(): number;
}

export interface TimerClock extends Clock {
  /** Returns a function that cancels the timer. */
  setTimer(ms: number, callback: () => void): () => void;
}

/** The maximum of Node. A longer timer fires early, and its caller must check the time again. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: TimerClock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or as soon as the signal aborts. */
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

const TIMED_OUT: unique symbol = Symbol('timed out');

async function raceTimeout<T>(clock: TimerClock, ms: number, run: () => Promise<T>): Promise<T | typeof TIMED_OUT> {
  const settled = new AbortController();
  try {
    return await Promise.race([run(), sleep(clock, ms, settled.signal).then((): typeof TIMED_OUT => TIMED_OUT)]);
  } finally {
    settled.abort();
  }
}

/** Rejects with `message` if `run` takes longer than `ms`. */
export async function withTimeout<T>(
  clock: TimerClock,
  ms: number,
  run: () => Promise<T>,
  message = `no response within ${ms / 1000} s`,
): Promise<T> {
  const result = await raceTimeout(clock, ms, run);
  if (result === TIMED_OUT) throw new Error(message);
  return result;
}

/** Returns `undefined` if `run` takes longer than `ms`. */
export async function waitUpTo<T>(clock: TimerClock, ms: number, run: () => Promise<T>): Promise<T | undefined> {
  const result = await raceTimeout(clock, ms, run);
  return result === TIMED_OUT ? undefined : result;
}

/** The function returns seconds. */
export function stopwatch(): () => number {
  const startedMs = performance.now();
  return () => (performance.now() - startedMs) / 1000;
}

export const DAY_MS = 86_400_000;
