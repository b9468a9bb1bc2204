import type { TimerClock } from './clock.ts';

interface JobOptions {
  readonly clock: TimerClock;
  /** Between the starts of two runs. */
  readonly minIntervalMs: number;
  /** Returns the time until the next run; `undefined`: the job only runs when it is scheduled. */
  readonly run: () => Promise<number | undefined>;
  /** Called before the job runs again in `retryMs`. Default: errors are thrown. */
  readonly onError?: (error: unknown) => void;
  readonly retryMs?: number;
}

/** Runs a job at the earliest scheduled time, and never twice at the same time. */
export class ThrottledJob {
  readonly #options: JobOptions;
  #next: { readonly atMs: number; readonly cancel: () => void } | undefined;
  #lastStartMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: JobOptions) {
    this.#options = options;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Runs the job in `ms`, or earlier if it is already scheduled earlier. */
  scheduleIn(ms: number | undefined): void {
    if (this.#isStopped || ms === undefined || ms === Number.POSITIVE_INFINITY) return;
    const { clock, minIntervalMs } = this.#options;
    const now = clock.monotonicMs();
    const atMs = Math.max(now + ms, this.#lastStartMs + minIntervalMs);
    if (this.#next && this.#next.atMs <= atMs) return;
    this.#next?.cancel();
    this.#next = { atMs, cancel: clock.setTimer(Math.max(0, atMs - now), () => this.#start()) };
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
      this.scheduleIn(this.#options.minIntervalMs);
      return;
    }
    this.#lastStartMs = this.#options.clock.monotonicMs();
    this.#running = this.#runOnce().finally(() => {
      this.#running = undefined;
    });
  }

  async #runOnce(): Promise<void> {
    const { run, onError, retryMs } = this.#options;
    try {
      this.scheduleIn(await run());
    } catch (error) {
      if (!onError) throw error;
      onError(error);
      this.scheduleIn(retryMs);
    }
  }
}
