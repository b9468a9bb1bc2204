import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 10;
/** A result covers between one and two windows. */
const WINDOW_MS = 15_000;

/** In seconds. */
export interface Delays {
  readonly median: number;
  readonly p99: number;
  readonly max: number;
}

/** The histogram contains the time between two timers. The delay is the time beyond the resolution. */
const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);

const delaysIn = (histogram: ReturnType<typeof monitorEventLoopDelay>): Delays =>
  histogram.count === 0
    ? { median: 0, p99: 0, max: 0 }
    : {
        median: seconds(histogram.percentile(50)),
        p99: seconds(histogram.percentile(99)),
        max: seconds(histogram.max),
      };

/** The delay of timers on the event loop. Several clients can read it without affecting each other. */
export class EventLoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #monotonicMs: () => number;
  #before: Delays = { median: 0, p99: 0, max: 0 };
  #sinceMs: number;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
    this.#sinceMs = monotonicMs();
    this.#histogram.enable();
  }

  read(): Delays {
    const now = delaysIn(this.#histogram);
    const before = this.#before;
    if (this.#monotonicMs() - this.#sinceMs >= WINDOW_MS) {
      this.#before = now;
      this.#sinceMs = this.#monotonicMs();
      this.#histogram.reset();
    }
    return {
      median: Math.max(now.median, before.median),
      p99: Math.max(now.p99, before.p99),
      max: Math.max(now.max, before.max),
    };
  }

  stop(): void {
    this.#histogram.disable();
  }
}
