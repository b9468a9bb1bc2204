import type { HrTime } from '@opentelemetry/api';
import type { Clock } from '../../lib/time/clock.ts';

/** When the two clocks have come apart by more, the wall clock was set. */
const DRIFT_MS = 20;
const MOMENT_MS = 5;

/** The wall clock with the fineness of the monotonic one: most spans are shorter than a millisecond of the former. */
export class SpanClock {
  readonly #clock: Clock;
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#aheadMs = clock.now() - clock.monotonicMs();
  }

  /** Seconds since 1970, and nanoseconds. */
  now(msAgo = 0): HrTime {
    this.#followWallClock();
    return this.#hrTime(this.#clock.monotonicMs() - msAgo);
  }

  /** The same for a reading of the monotonic clock. */
  at(monotonicMs: number): HrTime {
    this.#followWallClock();
    return this.#hrTime(monotonicMs);
  }

  #followWallClock(): void {
    const beforeMs = this.#clock.monotonicMs();
    const wallMs = this.#clock.now();
    const monotonicMs = this.#clock.monotonicMs();
    // If the process was interrupted between the two readings, their difference says nothing about the clocks.
    const isOneMoment = monotonicMs - beforeMs < MOMENT_MS;
    if (isOneMoment && Math.abs(monotonicMs + this.#aheadMs - wallMs) > DRIFT_MS)
      this.#aheadMs = wallMs - monotonicMs;
  }

  #hrTime(monotonicMs: number): HrTime {
    const ms = monotonicMs + this.#aheadMs;
    const seconds = Math.floor(ms / 1000);
    return [seconds, Math.floor((ms - seconds * 1000) * 1e6)];
  }
}
