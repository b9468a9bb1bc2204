import { RESERVED_ACCOUNT_NAME } from '../../domain/accounts/account.ts';
import { callerNetwork } from '../../domain/addresses/caller-network.ts';
import { isRecordName } from '../../domain/record-name.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { TokenBuckets } from '../../lib/turns/token-buckets.ts';

const MAX_FRIENDS = 10_000;

/**
 * Slows down those who guess passwords: failures are counted by address and by account. An address that has logged in to an
 * account before is not held up by what others do to that account, so that nobody can lock its owner out from elsewhere.
 */
export class GuessLimiter {
  readonly #buckets: TokenBuckets;
  readonly #friends = new Set<string>();

  constructor(failuresPerMinute: number, clock: Clock) {
    this.#buckets = new TokenBuckets(failuresPerMinute, clock);
  }

  #friendKey(name: string, address: string): string {
    return `${name} ${callerNetwork(address)}`;
  }

  #keys(name: string, address: string): string[] {
    // All tokens share the name, so by that anybody could shut them out; and hosts that go on with an old one would shut out people.
    if (name === RESERVED_ACCOUNT_NAME) return [`tokens ${callerNetwork(address)}`];
    const byAddress = `address ${callerNetwork(address)}`;
    const countsByAccount = isRecordName(name) && !this.#friends.has(this.#friendKey(name, address));
    return countsByAccount ? [byAddress, `account ${name}`] : [byAddress];
  }

  /** The seconds that a stranger has to wait before anything else is asked; `undefined` for friends, and while there is no need. */
  strangerWaitS(name: string, address: string): number | undefined {
    if (this.#friends.has(this.#friendKey(name, address))) return undefined;
    return this.#buckets.wait(this.#keys(name, address));
  }

  /** Counts an attempt before it is looked at, unless there were too many. A good login's count is given back. */
  attempt(name: string, address: string): { readonly waitS: number } | { giveBack(): void } {
    const keys = this.#keys(name, address);
    const waitS = this.#buckets.take(keys);
    return waitS === undefined ? { giveBack: () => this.#buckets.giveBack(keys) } : { waitS };
  }

  /** Somebody has logged in to this account from there. */
  befriend(name: string, address: string): void {
    const friend = this.#friendKey(name, address);
    // Back in at the end: the first is always the one that was not seen for longest.
    this.#friends.delete(friend);
    this.#friends.add(friend);
    const [oldest] = this.#friends;
    if (this.#friends.size > MAX_FRIENDS && oldest !== undefined) this.#friends.delete(oldest);
  }
}
