import { beforeEach, describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../test/harness/simulation/virtual-clock.ts';
import { AppError, StoreUnavailableError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { LoginCache } from './login-cache.ts';
import { authenticateWithFallback } from './outage-login.ts';
import type { Principal } from './principal.ts';

const PRINCIPAL: Principal = { account: toRecordName('prometheus'), role: 'viewer' };
const HOME = '10.0.0.1';
const HOUR_MS = 3_600_000;

describe('authenticateWithFallback', () => {
  let clock: VirtualClock;
  let cache: LoginCache;
  beforeEach(() => {
    clock = new VirtualClock();
    cache = new LoginCache(clock);
  });

  const storeUp = async (): Promise<Principal | AppError> => PRINCIPAL;
  const storeDown = async (): Promise<Principal | AppError> => {
    throw new StoreUnavailableError(undefined);
  };
  /** Role of the principal, error code, or `unavailable`. */
  const outcome = async (
    verify: () => Promise<Principal | AppError>,
    { password = 'right', address = HOME, name = 'prometheus' } = {},
  ) => {
    const credentials = { name, password: new Secret(password), authorizationHeader: new Secret(password) };
    try {
      const result = await authenticateWithFallback({ cache, clock }, credentials, address, verify);
      return result instanceof AppError ? result.code : result.role;
    } catch (error) {
      if (error instanceof StoreUnavailableError) return 'unavailable';
      throw error;
    }
  };

  test('accepts a login of the last hour while the store is unavailable', async () => {
    expect(await outcome(storeDown)).toBe('unavailable');
    await outcome(storeUp);
    await clock.advance(HOUR_MS - 1);
    expect(await outcome(storeDown)).toBe('viewer');
    await clock.advance(1);
    expect(await outcome(storeDown)).toBe('unavailable');
  });

  test.each([
    ['another password', { password: 'wrong' }],
    ['another address', { address: '10.0.0.2' }],
    ['another account', { name: 'ann' }],
  ])('rejects %s', async (_case, other) => {
    await outcome(storeUp);
    expect(await outcome(storeDown, other)).toBe('unavailable');
  });

  test('drops the login after the first wrong password', async () => {
    await outcome(storeUp);
    await outcome(storeDown, { password: 'wrong' });
    expect(await outcome(storeDown)).toBe('unavailable');
  });

  test('drops the login when an account changes, also during the verification', async () => {
    await outcome(storeUp);
    cache.invalidateAccount(toRecordName('ann'));
    expect(await outcome(storeDown)).toBe('unavailable');
    await outcome(async () => {
      cache.invalidateAccount(toRecordName('ann'));
      return PRINCIPAL;
    });
    expect(await outcome(storeDown)).toBe('unavailable');
  });

  test('keeps the login when a session changes, also during the verification', async () => {
    await outcome(async () => {
      cache.invalidateSessions();
      return PRINCIPAL;
    });
    cache.invalidateSessions();
    expect(await outcome(storeDown)).toBe('viewer');
  });

  test('drops the login if the store rejects it, but not if the store rejects another password', async () => {
    const reject = async () => new AppError('unauthorized', 'wrong');
    await outcome(storeUp);
    expect(await outcome(reject, { password: 'wrong' })).toBe('unauthorized');
    expect(await outcome(storeDown)).toBe('viewer');
    expect(await outcome(reject)).toBe('unauthorized');
    expect(await outcome(storeDown)).toBe('unavailable');
  });

  test('uses the cached login if the store does not respond within 3 s', async () => {
    await outcome(storeUp);
    const pending = outcome(() => new Promise(() => {}));
    await clock.advance(3000);
    expect(await pending).toBe('viewer');
  });

  test('drops the login if the store rejects it after the timeout', async () => {
    await outcome(storeUp);
    const lateResult = Promise.withResolvers<Principal | AppError>();
    const pending = outcome(() => lateResult.promise);
    await clock.advance(3000);
    expect(await pending).toBe('viewer');
    lateResult.resolve(new AppError('unauthorized', 'wrong'));
    await lateResult.promise;
    expect(await outcome(storeDown)).toBe('unavailable');
  });

  test('keeps 100 logins', async () => {
    for (let index = 0; index <= 100; index += 1) await outcome(storeUp, { address: `10.0.1.${index}` });
    expect(await outcome(storeDown, { address: '10.0.1.0' })).toBe('unavailable');
    expect(await outcome(storeDown, { address: '10.0.1.1' })).toBe('viewer');
  });
});
