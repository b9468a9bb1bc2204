import type { TimerClock } from './clock.ts';
import { sleep } from './clock.ts';

const INITIAL_MS = 1000;
const MAX_MS = 60_000;

/**
 * The delay between runs of a job that should run forever: none if the last run was long or the first to fail, then
 * doubled each time.
 */
export class Backoff {
  readonly #clock: TimerClock;
  #nextMs = 0;
  #startedAtMs: number;

  /** The first run starts now. */
  constructor(clock: TimerClock) {
    this.#clock = clock;
    this.#startedAtMs = clock.monotonicMs();
  }

  /** Call it after a run. The next run starts when it resolves. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#clock.monotonicMs() - this.#startedAtMs >= MAX_MS) this.#nextMs = 0;
    const delayMs = this.#nextMs;
    this.#nextMs = Math.min(Math.max(INITIAL_MS, 2 * delayMs), MAX_MS);
    await sleep(this.#clock, delayMs, signal);
    this.#startedAtMs = this.#clock.monotonicMs();
  }
}
