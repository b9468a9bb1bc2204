import type { Clock } from './time/clock.ts';

const MAX_BUCKETS = 10_000;
const MINUTE_MS = 60_000;
/** Tolerates rounding errors of sums of fractions. */
const ROUNDING_MS = 0.001;

/** Buckets by key. Each holds `perMinute` tokens and refills at that rate. */
export class TokenBuckets {
  readonly #msPerToken: number;
  readonly #clock: Clock;
  /** Full buckets are not kept, so a caller that takes nothing evicts no other. */
  readonly #fullAtMs = new Map<string, number>();

  constructor(perMinute: number, clock: Clock) {
    this.#msPerToken = MINUTE_MS / perMinute;
    this.#clock = clock;
  }

  #shift(key: string, byMs: number): number {
    const nowMs = this.#clock.monotonicMs();
    const fullAtMs = Math.max(nowMs, this.#fullAtMs.get(key) ?? nowMs) + byMs;
    // Reinserted at the end: the first key is always the least recently used.
    this.#fullAtMs.delete(key);
    if (fullAtMs > nowMs) this.#fullAtMs.set(key, fullAtMs);
    if (this.#fullAtMs.size > MAX_BUCKETS) this.#fullAtMs.delete(this.#fullAtMs.keys().next().value ?? key);
    return fullAtMs;
  }

  retryAfterS(keys: readonly string[]): number | undefined {
    const fullAtMs = Math.max(...keys.map(key => this.#shift(key, 0)));
    const waitMs = fullAtMs - this.#clock.monotonicMs() + this.#msPerToken - MINUTE_MS - ROUNDING_MS;
    return waitMs > 0 ? Math.ceil(waitMs / 1000) : undefined;
  }

  /** Takes one token from each bucket. If one is empty, takes none and returns the seconds until it has a token. */
  take(keys: readonly string[]): number | undefined {
    const waitS = this.retryAfterS(keys);
    if (waitS === undefined) for (const key of keys) this.#shift(key, this.#msPerToken);
    return waitS;
  }

  refund(keys: readonly string[]): void {
    for (const key of keys) this.#shift(key, -this.#msPerToken);
  }
}
