/** What tells the time and wakes; tests have one of their own. */
export interface Timer {
  nowMs(): number;
  /** Answers how to have it not done. */
  after(ms: number, run: () => void): () => void;
}

const BROWSERS: Timer = {
  nowMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** Does something at once when it is wanted seldom, else at most so often. Whoever has wanted it last is served as well. */
export class AtMostEvery {
  readonly #everyMs: number;
  readonly #run: () => void;
  readonly #timer: Timer;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** `undefined`: nobody waits. */
  #forget: (() => void) | undefined;

  constructor(everyMs: number, run: () => void, timer: Timer = BROWSERS) {
    this.#everyMs = everyMs;
    this.#run = run;
    this.#timer = timer;
  }

  /** It is wanted. */
  readonly soon = (): void => {
    const waitMs = Math.max(0, this.#lastMs + this.#everyMs - this.#timer.nowMs());
    this.#forget ??= this.#timer.after(waitMs, () => {
      this.#forget = undefined;
      this.#lastMs = this.#timer.nowMs();
      this.#run();
    });
  };

  /** Nobody wants it any more. */
  stop(): void {
    this.#forget?.();
    this.#forget = undefined;
  }
}
