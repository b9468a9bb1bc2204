import { RESERVED_ACCOUNT_NAME } from '../../domain/accounts/account.ts';
import { rateLimitKey } from '../../domain/addresses/address.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { TokenBuckets } from '../../lib/turns/token-buckets.ts';

const MAX_SIGNED_IN = 10_000;

/**
 * Limits failed logins per network. There is no limit per account: with one, anybody could lock an account's owner out by guessing its password.
 */
export class GuessLimiter {
  readonly #buckets: TokenBuckets;
  /** Accounts and the networks from which they signed in, the most recent last. */
  readonly #signedIn = new Set<string>();

  constructor(failuresPerMinute: number, clock: Clock) {
    this.#buckets = new TokenBuckets(failuresPerMinute, clock);
  }

  #signInKey(name: string, address: string): string {
    return `${name} ${rateLimitKey(address)}`;
  }

  /** Failed tokens count apart from failed passwords: hosts that keep an old token must not lock out people on their network. */
  #bucketOf(name: string, address: string): string {
    const kind = name === RESERVED_ACCOUNT_NAME ? 'tokens' : 'passwords';
    return `${kind} ${rateLimitKey(address)}`;
  }

  /**
   * The seconds that a caller has to wait before anything is checked; `undefined` if none. An account that signed in from this network before does
   * not wait: what is remembered of that login is checked without a hash.
   */
  waitS(name: string, address: string): number | undefined {
    if (this.#signedIn.has(this.#signInKey(name, address))) return undefined;
    return this.#buckets.wait([this.#bucketOf(name, address)]);
  }

  /** Counts an attempt before it is checked, unless there were too many. The count of a successful login is given back. */
  attempt(name: string, address: string): { readonly waitS: number } | { giveBack(): void } {
    const keys = [this.#bucketOf(name, address)];
    const waitS = this.#buckets.take(keys);
    return waitS === undefined ? { giveBack: () => this.#buckets.giveBack(keys) } : { waitS };
  }

  noteSignIn(name: string, address: string): void {
    const key = this.#signInKey(name, address);
    this.#signedIn.delete(key);
    this.#signedIn.add(key);
    const [oldest] = this.#signedIn;
    if (this.#signedIn.size > MAX_SIGNED_IN && oldest !== undefined) this.#signedIn.delete(oldest);
  }
}
