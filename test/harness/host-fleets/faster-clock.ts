import type { TimerClock } from '../../../src/lib/time/clock.ts';

/** A clock that runs several times as fast as real time, so that tests wait less. */
export class FasterClock implements TimerClock {
  readonly #speed: number;
  readonly #startedAtMs = Date.now();
  readonly #startedMonotonicMs = performance.now();

  constructor(speed: number) {
    this.#speed = speed;
  }

  monotonicMs(): number {
    return (performance.now() - this.#startedMonotonicMs) * this.#speed;
  }

  now(): number {
    return this.#startedAtMs + this.monotonicMs();
  }

  setTimer(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, ms / this.#speed);
    return () => clearTimeout(timer);
  }

  /** Converts to milliseconds since 1970 of the local clock. */
  realMs(hostMs: number): number {
    return this.#startedAtMs + (hostMs - this.#startedAtMs) / this.#speed;
  }
}
