import type { Clock } from './clock.ts';

interface Bucket {
  tokens: number;
  filledAtMs: number;
}

/** Enough for every caller of a busy day; beyond it the ones that were unused for longest are forgotten. */
const MAX_BUCKETS = 10_000;

/** Buckets by key that hold `perMinute` tokens each and fill up again at that rate. */
export class TokenBuckets {
  readonly #perMinute: number;
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  #fill(key: string): Bucket {
    const nowMs = this.#clock.monotonicMs();
    const bucket = this.#buckets.get(key) ?? { tokens: this.#perMinute, filledAtMs: nowMs };
    const gained = ((nowMs - bucket.filledAtMs) / 60_000) * this.#perMinute;
    bucket.tokens = Math.min(this.#perMinute, bucket.tokens + gained);
    bucket.filledAtMs = nowMs;
    // Back in at the end: the first key is always the one that was unused for longest.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > MAX_BUCKETS) this.#buckets.delete(this.#buckets.keys().next().value ?? key);
    return bucket;
  }

  /** Takes a token from each; when one of them is empty, takes none and answers the seconds until there is one. */
  take(keys: readonly string[]): number | undefined {
    const buckets = keys.map(key => this.#fill(key));
    const fewest = Math.min(...buckets.map(bucket => bucket.tokens));
    if (fewest < 1) return Math.ceil(((1 - fewest) / this.#perMinute) * 60);
    for (const bucket of buckets) bucket.tokens -= 1;
    return undefined;
  }

  giveBack(keys: readonly string[]): void {
    for (const key of keys) {
      const bucket = this.#fill(key);
      bucket.tokens = Math.min(this.#perMinute, bucket.tokens + 1);
    }
  }
}
