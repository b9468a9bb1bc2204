import { useEffect, useRef, useState } from 'react';

/** What tells the time and wakes; tests have one of their own. */
export interface TimerApi {
  nowMs(): number;
  /** Answers how to have it not done. */
  after(ms: number, run: () => void): () => void;
}

const BROWSER_TIMER: TimerApi = {
  nowMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Does something at once when it is wanted seldom, else at most so often. Whoever has wanted it last is served as well. */
export class Throttle {
  readonly #intervalMs: number;
  readonly #run: () => void;
  readonly #timer: TimerApi;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** `undefined`: nobody waits. */
  #cancel: (() => void) | undefined;

  constructor(intervalMs: number, run: () => void, timer: TimerApi = BROWSER_TIMER) {
    this.#intervalMs = intervalMs;
    this.#run = run;
    this.#timer = timer;
  }

  /** It is wanted. */
  readonly schedule = (): void => {
    const waitMs = Math.max(0, this.#lastMs + this.#intervalMs - this.#timer.nowMs());
    this.#cancel ??= this.#timer.after(waitMs, () => {
      this.#cancel = undefined;
      this.#lastMs = this.#timer.nowMs();
      this.#run();
    });
  };

  /** Nobody wants it any more. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}

/** A value that changes quickly, as it was at most so long ago. */
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
