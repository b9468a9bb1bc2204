import type { Actor } from '../../domain/accounts/account.ts';
import type { Address } from '../../domain/addresses/address.ts';
import { parseAddress, sortWithKeys } from '../../domain/addresses/address.ts';
import { NAMES_PER_MINUTE } from '../../domain/defaults.ts';
import { AppError } from '../../domain/errors.ts';
import { Semaphore } from '../../lib/concurrency.ts';
import { errorCode } from '../../lib/errors.ts';
import { withTimeout } from '../../lib/time/clock.ts';
import { TokenBuckets } from '../../lib/token-buckets.ts';
import type { Ports } from '../ports.ts';

/** Short, because a user waits for the response. */
const TIMEOUT_MS = 5000;
/** A lookup blocks one of the four worker threads of the process until the DNS server responds. Passwords need the others. */
const MAX_CONCURRENT_LOOKUPS = 2;
const MAX_WAITING_LOOKUPS = 50;
const RETRY_S = 5;

/** The DNS server has responded: there is no such name, or it has no address. */
const UNKNOWN_NAME_CODES: readonly string[] = ['ENOTFOUND', 'ENODATA'];

export interface ResolvedName {
  readonly name: string;
  /** Not empty. Sorted by numeric value, IPv4 first. */
  readonly addresses: readonly Address[];
}

const hasNoAddress = (name: string) => new AppError('unresolved_name', `${name} has no address`);

export class NameResolver {
  readonly #ports: Pick<Ports, 'clock' | 'lookup'>;
  readonly #buckets: TokenBuckets;
  readonly #lookups = new Semaphore(MAX_CONCURRENT_LOOKUPS, MAX_WAITING_LOOKUPS);

  constructor(ports: Pick<Ports, 'clock' | 'lookup'>) {
    this.#ports = ports;
    this.#buckets = new TokenBuckets(NAMES_PER_MINUTE, ports.clock);
  }

  async resolve({ account }: Pick<Actor, 'account'>, name: string): Promise<ResolvedName | AppError> {
    const retryAfterS = this.#buckets.take([account]);
    if (retryAfterS !== undefined)
      return new AppError(
        'too_many_requests',
        `this account has resolved ${NAMES_PER_MINUTE} names within a minute; retry in ${retryAfterS} s`,
        { retryAfterS },
      );
    let isAbandoned = false;
    const lookup = this.#lookups.tryRun(async () => (isAbandoned ? [] : this.#ports.lookup(name)));
    if (lookup === undefined)
      return new AppError('server_busy', 'too many names are being resolved', { retryAfterS: RETRY_S });
    try {
      const found = await withTimeout(this.#ports.clock, TIMEOUT_MS, () => lookup);
      const addresses = new Set(found.flatMap(text => parseAddress(text) ?? []));
      if (addresses.size === 0) return hasNoAddress(name);
      return { name, addresses: sortWithKeys(addresses).map(({ address }) => address) };
    } catch (error) {
      isAbandoned = true;
      const code = errorCode(error);
      if (UNKNOWN_NAME_CODES.includes(code)) return hasNoAddress(name);
      const reason = code === '' ? `no response within ${TIMEOUT_MS / 1000} s` : code;
      return new AppError('dns_unavailable', `${name} cannot be resolved (${reason})`, { retryAfterS: RETRY_S });
    }
  }
}
