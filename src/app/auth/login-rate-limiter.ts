import { RESERVED_ACCOUNT_NAME } from '../../domain/accounts/account.ts';
import { rateLimitKey } from '../../domain/addresses/address.ts';
import { LruMap } from '../../lib/lru-map.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { TokenBuckets } from '../../lib/token-buckets.ts';

const MAX_EXEMPTIONS = 10_000;

/** Per network. An attacker could use a limit per account to lock out the owner. */
export class LoginRateLimiter {
  readonly #buckets: TokenBuckets;
  readonly #exempt = new LruMap<string, true>(MAX_EXEMPTIONS);

  constructor(failuresPerMinute: number, clock: Clock) {
    this.#buckets = new TokenBuckets(failuresPerMinute, clock);
  }

  #exemptionKey(name: string, address: string): string {
    return `${name} ${rateLimitKey(address)}`;
  }

  /** Failed tokens count separately, so hosts with an old token cannot lock out users on the same network. */
  #bucketKey(name: string, address: string): string {
    const kind = name === RESERVED_ACCOUNT_NAME ? 'tokens' : 'passwords';
    return `${kind} ${rateLimitKey(address)}`;
  }

  /** An account that signed in from this network is exempt: its cached login is checked without a hash. */
  waitS(name: string, address: string): number | undefined {
    if (this.#exempt.has(this.#exemptionKey(name, address))) return undefined;
    return this.#buckets.retryAfterS([this.#bucketKey(name, address)]);
  }

  /** The caller must refund a successful login. */
  consume(name: string, address: string): { readonly waitS: number } | { refund(): void } {
    const keys = [this.#bucketKey(name, address)];
    const waitS = this.#buckets.take(keys);
    return waitS === undefined ? { refund: () => this.#buckets.refund(keys) } : { waitS };
  }

  recordSignIn(name: string, address: string): void {
    this.#exempt.set(this.#exemptionKey(name, address), true);
  }
}
