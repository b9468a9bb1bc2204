import type { Clock } from './time/clock.ts';

/** Enough for every caller of a busy day; beyond it the ones that were unused for longest are forgotten. */
const MAX_BUCKETS = 10_000;
const MINUTE_MS = 60_000;
/** What sums of fractions may be wrong by. */
const ROUNDING_MS = 0.001;

/** Buckets by key that hold `perMinute` tokens each and fill up again at that rate. */
export class TokenBuckets {
  readonly #msPerToken: number;
  readonly #clock: Clock;
  /** When each bucket is full again. A full one is not kept, so whoever takes nothing pushes nobody out. */
  readonly #fullAtMs = new Map<string, number>();

  constructor(perMinute: number, clock: Clock) {
    this.#msPerToken = MINUTE_MS / perMinute;
    this.#clock = clock;
  }

  /** Moves the moment at which a bucket is full, and answers it. */
  #shift(key: string, byMs: number): number {
    const nowMs = this.#clock.monotonicMs();
    const fullAtMs = Math.max(nowMs, this.#fullAtMs.get(key) ?? nowMs) + byMs;
    // Back in at the end: the first key is always the one that was unused for longest.
    this.#fullAtMs.delete(key);
    if (fullAtMs > nowMs) this.#fullAtMs.set(key, fullAtMs);
    if (this.#fullAtMs.size > MAX_BUCKETS) this.#fullAtMs.delete(this.#fullAtMs.keys().next().value ?? key);
    return fullAtMs;
  }

  /** The seconds until each of them holds a token; `undefined` when each does. */
  retryAfterS(keys: readonly string[]): number | undefined {
    const fullAtMs = Math.max(...keys.map(key => this.#shift(key, 0)));
    const waitMs = fullAtMs - this.#clock.monotonicMs() + this.#msPerToken - MINUTE_MS - ROUNDING_MS;
    return waitMs > 0 ? Math.ceil(waitMs / 1000) : undefined;
  }

  /** Takes a token from each; when one of them is empty, takes none and answers the seconds until there is one. */
  take(keys: readonly string[]): number | undefined {
    const waitS = this.retryAfterS(keys);
    if (waitS === undefined) for (const key of keys) this.#shift(key, this.#msPerToken);
    return waitS;
  }

  refund(keys: readonly string[]): void {
    for (const key of keys) this.#shift(key, -this.#msPerToken);
  }
}
