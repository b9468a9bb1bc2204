import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress, sortWithKeys } from '../../domain/addresses/address.ts';
import { AppError } from '../../domain/errors.ts';
import { Semaphore } from '../../lib/concurrency.ts';
import { errorCode } from '../../lib/errors.ts';
import { withTimeout } from '../../lib/time/clock.ts';
import { TokenBuckets } from '../../lib/token-buckets.ts';
import type { Ports } from '../ports.ts';

/** Short, because a user waits for the response. */
const TIMEOUT_MS = 5000;
/** Per account. The server looks up names in its own network, which the caller may not reach. */
const LOOKUPS_PER_MINUTE = 60;

/** A lookup blocks one of the four worker threads of the process until the DNS server responds. Passwords need the others. */
const MAX_CONCURRENT_LOOKUPS = 2;
const MAX_WAITING_LOOKUPS = 50;
const RETRY_S = 5;

export interface ResolvedName {
  readonly name: string;
  /** Not empty. Sorted by numeric value, IPv4 first. */
  readonly addresses: readonly Address[];
}

export class NameResolver {
  readonly #ports: Pick<Ports, 'clock' | 'lookup'>;
  readonly #buckets: TokenBuckets;
  readonly #lookups = new Semaphore(MAX_CONCURRENT_LOOKUPS, MAX_WAITING_LOOKUPS);

  constructor(ports: Pick<Ports, 'clock' | 'lookup'>) {
    this.#ports = ports;
    this.#buckets = new TokenBuckets(LOOKUPS_PER_MINUTE, ports.clock);
  }

  async resolve({ account }: Pick<Actor, 'account'>, name: string): Promise<ResolvedName | AppError> {
    const retryAfterS = this.#buckets.take([account]);
    if (retryAfterS !== undefined)
      return new AppError('too_many_requests', `more than ${LOOKUPS_PER_MINUTE} names in a minute`, { retryAfterS });
    const lookup = this.#lookups.tryRun(() => this.#ports.lookup(name));
    if (lookup === undefined)
      return new AppError('too_many_requests', 'too many names are being resolved', { retryAfterS: RETRY_S });
    try {
      const found = await withTimeout(this.#ports.clock, TIMEOUT_MS, () => lookup);
      const addresses = new Set(found.flatMap(text => parseAddress(text) ?? []));
      if (addresses.size > 0) return { name, addresses: sortWithKeys(addresses).map(({ address }) => address) };
      return new AppError('unresolved_name', `${name} has no address`);
    } catch (error) {
      return new AppError('unresolved_name', `${name} cannot be resolved (${errorCode(error)})`);
    }
  }
}
