import type { TimerClock } from './clock.ts';

/** Has something done at the earliest time that was asked for, one after the other, and not too often. */
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

  /** In so long, or earlier if somebody else asks for that. */
  scheduleIn(ms: number): void {
    if (this.#isStopped || ms === Number.POSITIVE_INFINITY) return;
    const now = this.#clock.monotonicMs();
    const atMs = Math.max(now + ms, this.#lastStartMs + this.#minIntervalMs);
    if (this.#next && this.#next.atMs <= atMs) return;
    this.#next?.cancel();
    this.#next = { atMs, cancel: this.#clock.setTimer(Math.max(0, atMs - now), () => this.#start()) };
  }

  /** Nothing begins any more; resolves when what is under way has ended. */
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
