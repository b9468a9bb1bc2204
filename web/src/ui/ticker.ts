// The current time for relative times on a page. All listeners share one timer.

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

  /** `offsetMs` returns how far the server clock is ahead of the browser clock. */
  setOffset(offsetMs: () => number): void {
    this.#offsetMs = offsetMs;
  }

  /** Time of the browser clock. Constant between two ticks, so everything on a page agrees. */
  readonly nowMs = (): number => {
    if (this.#timer === undefined && Math.abs(this.#clock() - this.#nowMs) >= TICK_MS) this.#nowMs = this.#clock();
    return this.#nowMs;
  };

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
