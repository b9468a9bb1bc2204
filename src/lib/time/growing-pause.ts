import type { AlarmClock } from './clock.ts';
import { sleep } from './sleep.ts';

const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** Between turns of what should last: none when it has lasted, or has not for once; else twice as long each time. */
export class GrowingPause {
  readonly #clock: AlarmClock;
  #nextMs = 0;
  #begunAtMs: number;

  /** The first turn begins now. */
  constructor(clock: AlarmClock) {
    this.#clock = clock;
    this.#begunAtMs = clock.monotonicMs();
  }

  /** After a turn; the next begins when it comes back. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#clock.monotonicMs() - this.#begunAtMs >= LONGEST_MS) this.#nextMs = 0;
    const pauseMs = this.#nextMs;
    this.#nextMs = Math.min(Math.max(FIRST_MS, 2 * pauseMs), LONGEST_MS);
    await sleep(this.#clock, pauseMs, signal);
    this.#begunAtMs = this.#clock.monotonicMs();
  }
}
