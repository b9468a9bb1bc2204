import type { TimerClock } from '../../../src/lib/time/clock.ts';

/** The time of pretend hosts that live so many times as fast as we do: less is waited for. */
export class FasterClock implements TimerClock {
  readonly #times: number;
  readonly #beganAtMs = Date.now();
  readonly #beganMs = performance.now();

  constructor(times: number) {
    this.#times = times;
  }

  monotonicMs(): number {
    return (performance.now() - this.#beganMs) * this.#times;
  }

  now(): number {
    return this.#beganAtMs + this.monotonicMs();
  }

  setTimer(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms / this.#times);
    return () => clearTimeout(timer);
  }

  /** When it was by our clock, in milliseconds since 1970. */
  realMs(theirMs: number): number {
    return this.#beganAtMs + (theirMs - this.#beganAtMs) / this.#times;
  }
}
