import type { TimerClock } from './clock.ts';
import { sleep } from './clock.ts';

/** `attempts` counts from 1. Callers add their own jitter. */
export const exponentialBackoffMs = (
  initialMs: number,
  attempts: number,
  maxMs: number = Number.POSITIVE_INFINITY,
): number => Math.min(maxMs, initialMs * 2 ** Math.max(0, attempts - 1));

const INITIAL_MS = 1000;
const MAX_MS = 60_000;

/** For a job that should run forever. A run that fails for the first time, or after a long run, is repeated at once. */
export class Backoff {
  readonly #clock: TimerClock;
  #shortRuns = 0;
  #startedAtMs: number;

  constructor(clock: TimerClock) {
    this.#clock = clock;
    this.#startedAtMs = clock.monotonicMs();
  }

  /** Call it after a run. The next run starts when it resolves. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#clock.monotonicMs() - this.#startedAtMs >= MAX_MS) this.#shortRuns = 0;
    const delayMs = this.#shortRuns === 0 ? 0 : exponentialBackoffMs(INITIAL_MS, this.#shortRuns, MAX_MS);
    this.#shortRuns += 1;
    await sleep(this.#clock, delayMs, signal);
    this.#startedAtMs = this.#clock.monotonicMs();
  }
}
