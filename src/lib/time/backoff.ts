import type { TimerClock } from './clock.ts';
import { sleep } from './clock.ts';

const INITIAL_MS = 1000;
const MAX_MS = 60_000;

/** Between turns of what should last: none when it has lasted, or has not for once; else twice as long each time. */
export class Backoff {
  readonly #clock: TimerClock;
  #nextMs = 0;
  #startedAtMs: number;

  /** The first turn begins now. */
  constructor(clock: TimerClock) {
    this.#clock = clock;
    this.#startedAtMs = clock.monotonicMs();
  }

  /** After a turn; the next begins when it comes back. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#clock.monotonicMs() - this.#startedAtMs >= MAX_MS) this.#nextMs = 0;
    const delayMs = this.#nextMs;
    this.#nextMs = Math.min(Math.max(INITIAL_MS, 2 * delayMs), MAX_MS);
    await sleep(this.#clock, delayMs, signal);
    this.#startedAtMs = this.#clock.monotonicMs();
  }
}
