import { useEffect, useRef, useState } from 'react';

/** Replaced in tests. */
export interface TimerApi {
  nowMs(): number;
  /** Returns a function that cancels the timer. */
  after(ms: number, run: () => void): () => void;
}

const BROWSER_TIMER: TimerApi = {
  nowMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Runs at most once per interval, immediately if the last run is long enough ago. A call of `schedule` during the
 * interval runs at its end.
 */
export class Throttle {
  readonly #intervalMs: number;
  readonly #run: () => void;
  readonly #timer: TimerApi;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** Undefined if no run is scheduled. */
  #cancel: (() => void) | undefined;

  constructor(intervalMs: number, run: () => void, timer: TimerApi = BROWSER_TIMER) {
    this.#intervalMs = intervalMs;
    this.#run = run;
    this.#timer = timer;
  }

  readonly schedule = (): void => {
    const waitMs = Math.max(0, this.#lastMs + this.#intervalMs - this.#timer.nowMs());
    this.#cancel ??= this.#timer.after(waitMs, () => {
      this.#cancel = undefined;
      this.#lastMs = this.#timer.nowMs();
      this.#run();
    });
  };

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/** Returns the value, updated at most once per interval. */
export function useThrottled<T>(value: T, intervalMs: number): T {
  const [throttled, setThrottled] = useState(value);
  const lastUpdateMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const waitMs = Math.max(0, lastUpdateMs.current + intervalMs - performance.now());
    const timer = setTimeout(() => {
      lastUpdateMs.current = performance.now();
      setThrottled(value);
    }, waitMs);
    return () => clearTimeout(timer);
  }, [value, intervalMs]);
  return throttled;
}
