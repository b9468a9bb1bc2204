import { RESERVED_ACCOUNT_NAME } from '../../domain/accounts/account.ts';
import { rateLimitKey } from '../../domain/addresses/address.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { TokenBuckets } from '../../lib/token-buckets.ts';

const MAX_EXEMPTIONS = 10_000;

/**
 * Limits failed logins per network. There is no limit per account: with one, anybody could lock an account's owner out by guessing its password.
 */
export class LoginRateLimiter {
  readonly #buckets: TokenBuckets;
  /** Accounts and the networks from which they signed in, the most recent last. */
  readonly #exempt = new Set<string>();

  constructor(failuresPerMinute: number, clock: Clock) {
    this.#buckets = new TokenBuckets(failuresPerMinute, clock);
  }

  #exemptionKey(name: string, address: string): string {
    return `${name} ${rateLimitKey(address)}`;
  }

  /** Failed tokens count apart from failed passwords: hosts that keep an old token must not lock out people on their network. */
  #bucketKey(name: string, address: string): string {
    const kind = name === RESERVED_ACCOUNT_NAME ? 'tokens' : 'passwords';
    return `${kind} ${rateLimitKey(address)}`;
  }

  /**
   * The seconds that a caller has to wait before anything is checked; `undefined` if none. An account that signed in from this network before does
   * not wait: what is remembered of that login is checked without a hash.
   */
  waitS(name: string, address: string): number | undefined {
    if (this.#exempt.has(this.#exemptionKey(name, address))) return undefined;
    return this.#buckets.retryAfterS([this.#bucketKey(name, address)]);
  }

  /** Counts an attempt before it is checked, unless there were too many. The count of a successful login is given back. */
  consume(name: string, address: string): { readonly waitS: number } | { refund(): void } {
    const keys = [this.#bucketKey(name, address)];
    const waitS = this.#buckets.take(keys);
    return waitS === undefined ? { refund: () => this.#buckets.refund(keys) } : { waitS };
  }

  recordSignIn(name: string, address: string): void {
    const key = this.#exemptionKey(name, address);
    this.#exempt.delete(key);
    this.#exempt.add(key);
    const [oldest] = this.#exempt;
    if (this.#exempt.size > MAX_EXEMPTIONS && oldest !== undefined) this.#exempt.delete(oldest);
  }
}
