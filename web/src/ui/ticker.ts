// The time, for whatever on a page says how long something is ago: one timer for all of them, and none when there are none.

const TICK_MS = 1000;

export class Ticker {
  readonly #clock: () => number;
  readonly #listeners = new Set<() => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #nowMs = Number.NEGATIVE_INFINITY;
  #offsetMs: () => number = () => 0;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  /** What tells how far the clock of the service is ahead of the one here. */
  setOffset(offsetMs: () => number): void {
    this.#offsetMs = offsetMs;
  }

  /** By the clock here. The same from one tick to the next, so that all that is drawn together agrees. */
  readonly nowMs = (): number => {
    if (this.#timer === undefined && Math.abs(this.#clock() - this.#nowMs) >= TICK_MS)
      this.#nowMs = this.#clock();
    return this.#nowMs;
  };

  /** By the clock of the service, whose times are told. */
  readonly serverNowMs = (): number => this.nowMs() + this.#offsetMs();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  };

  #tick(): void {
    this.#nowMs = this.#clock();
    for (const listener of this.#listeners) listener();
  }
}

export const ticker = new Ticker();
