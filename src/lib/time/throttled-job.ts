import type { TimerClock } from './clock.ts';

/**
 * Runs a job at the earliest scheduled time, never twice at the same time, and with a minimum interval
 * between starts.
 */
export class ThrottledJob {
  readonly #clock: TimerClock;
  readonly #minIntervalMs: number;
  readonly #run: () => Promise<void>;
  #next: { readonly atMs: number; readonly cancel: () => void } | undefined;
  #lastStartMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(clock: TimerClock, minIntervalMs: number, run: () => Promise<void>) {
    this.#clock = clock;
    this.#minIntervalMs = minIntervalMs;
    this.#run = run;
  }

  /** Runs the job in `ms`, or earlier if it is already scheduled earlier. */
  scheduleIn(ms: number): void {
    if (this.#isStopped || ms === Number.POSITIVE_INFINITY) return;
    const now = this.#clock.monotonicMs();
    const atMs = Math.max(now + ms, this.#lastStartMs + this.#minIntervalMs);
    if (this.#next && this.#next.atMs <= atMs) return;
    this.#next?.cancel();
    this.#next = { atMs, cancel: this.#clock.setTimer(Math.max(0, atMs - now), () => this.#start()) };
  }

  /** Starts no new run, and resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#next?.cancel();
    await this.#running;
  }

  #start(): void {
    this.#next = undefined;
    if (this.#running) {
      this.scheduleIn(this.#minIntervalMs);
      return;
    }
    this.#lastStartMs = this.#clock.monotonicMs();
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
    });
  }
}
