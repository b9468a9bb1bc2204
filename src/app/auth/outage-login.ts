import { AppError, StoreUnavailableError } from '../../domain/errors.ts';
import type { TimerClock } from '../../lib/time/clock.ts';
import { waitUpTo } from '../../lib/time/clock.ts';
import type { LoginCache } from './login-cache.ts';
import type { Credentials, Principal } from './principal.ts';

/** Monitoring clients time out after about ten seconds. */
const STORE_TIMEOUT_MS = 3000;

interface OutageLoginPorts {
  readonly cache: LoginCache;
  readonly clock: TimerClock;
}

/** For routes that report the state of the server while the store is unavailable. */
export async function authenticateWithFallback(
  { cache, clock }: OutageLoginPorts,
  credentials: Credentials,
  address: string,
  verify: () => Promise<Principal | AppError>,
): Promise<Principal | AppError> {
  const mark = cache.startRead('basic');
  // The result updates the cache even if it arrives after the timeout.
  const verification = verify().then(result => {
    if (!(result instanceof AppError)) cache.putStale(credentials, address, result, mark);
    else if (result.code === 'unauthorized') cache.evictStale(credentials, address);
    return result;
  });
  try {
    const result = await waitUpTo(clock, STORE_TIMEOUT_MS, () => verification);
    if (result !== undefined) return result;
  } catch (error) {
    if (!(error instanceof StoreUnavailableError)) throw error;
  }
  return cache.findStale(credentials, address) ?? verification;
}
