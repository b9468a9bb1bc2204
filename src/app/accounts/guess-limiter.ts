import ipaddr from 'ipaddr.js';
import type { RecordName } from '../../domain/record-name.ts';
import type { Clock } from '../../lib/clock.ts';
import { TokenBuckets } from '../../lib/token-buckets.ts';

/** Whoever has an IPv6 address usually has the 2⁶⁴ around it as well. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6'
    ? Buffer.from(parsed.toByteArray().slice(0, 8)).toString('hex')
    : parsed.toString();
}

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

  #keys(name: string, address: string): string[] {
    const network = networkOf(address);
    const byAddress = `address ${network}`;
    return this.#friends.has(`${name} ${network}`) ? [byAddress] : [byAddress, `account ${name}`];
  }

  /** Counts an attempt before it is looked at; answers the seconds to wait when there were too many. */
  attempt(name: string, address: string): number | undefined {
    return this.#buckets.take(this.#keys(name, address));
  }

  /** The attempt was a good login after all. */
  succeeded(name: RecordName, address: string): void {
    this.#buckets.giveBack(this.#keys(name, address));
    const [oldest] = this.#friends;
    if (this.#friends.size >= MAX_FRIENDS && oldest !== undefined) this.#friends.delete(oldest);
    this.#friends.add(`${name} ${networkOf(address)}`);
  }
}
