import { beforeEach, describe, expect, test } from 'vitest';
import { AppError, StoreUnavailableError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { VirtualClock } from '../../lib/time/virtual-clock.ts';
import { OutageLoginCache } from './login-cache.ts';
import type { Principal } from './principal.ts';

const PRINCIPAL: Principal = { account: toRecordName('prometheus'), role: 'viewer' };
const HOME = '10.0.0.1';
const HOUR_MS = 3_600_000;

describe('a login that lasts while the store is away', () => {
  let clock: VirtualClock;
  let cache: OutageLoginCache;
  beforeEach(() => {
    clock = new VirtualClock();
    cache = new OutageLoginCache(clock);
  });

  const storeUp = async (): Promise<Principal | AppError> => PRINCIPAL;
  const storeDown = async (): Promise<Principal | AppError> => {
    throw new StoreUnavailableError(undefined);
  };
  /** Who is let in: `viewer`, the code of a refusal, or `away`. */
  const outcome = async (
    verify: () => Promise<Principal | AppError>,
    { password = 'right', address = HOME, name = 'prometheus' } = {},
  ) => {
    const credentials = { name, password: new Secret(password), authorizationHeader: new Secret(password) };
    try {
      const result = await cache.authenticate(credentials, address, verify);
      return result instanceof AppError ? result.code : result.role;
    } catch (error) {
      if (error instanceof StoreUnavailableError) return 'away';
      throw error;
    }
  };

  test('is one that the store let in within the last hour', async () => {
    expect(await outcome(storeDown)).toBe('away');
    await outcome(storeUp);
    await clock.advance(HOUR_MS - 1);
    expect(await outcome(storeDown)).toBe('viewer');
    await clock.advance(1);
    expect(await outcome(storeDown)).toBe('away');
  });

  test.each([
    ['another password', { password: 'wrong' }],
    ['another address', { address: '10.0.0.2' }],
    ['another account', { name: 'ann' }],
  ])('does not count for %s', async (_what, other) => {
    await outcome(storeUp);
    expect(await outcome(storeDown, other)).toBe('away');
  });

  test('is forgotten at the first wrong guess', async () => {
    await outcome(storeUp);
    await outcome(storeDown, { password: 'wrong' });
    expect(await outcome(storeDown)).toBe('away');
  });

  test('is forgotten when an account changes, also while the store is asked', async () => {
    await outcome(storeUp);
    cache.clear();
    expect(await outcome(storeDown)).toBe('away');
    await outcome(async () => {
      cache.clear();
      return PRINCIPAL;
    });
    expect(await outcome(storeDown)).toBe('away');
  });

  test('is forgotten when the store refuses it, but not when it refuses another password', async () => {
    const reject = async () => new AppError('unauthorized', 'wrong');
    await outcome(storeUp);
    expect(await outcome(reject, { password: 'wrong' })).toBe('unauthorized');
    expect(await outcome(storeDown)).toBe('viewer');
    expect(await outcome(reject)).toBe('unauthorized');
    expect(await outcome(storeDown)).toBe('away');
  });

  test('does not wait for long for a store that says nothing', async () => {
    await outcome(storeUp);
    const pending = outcome(() => new Promise(() => {}));
    await clock.advance(3000);
    expect(await pending).toBe('viewer');
  });

  test('is forgotten by what the store says late', async () => {
    await outcome(storeUp);
    const lateResult = Promise.withResolvers<Principal | AppError>();
    const pending = outcome(() => lateResult.promise);
    await clock.advance(3000);
    expect(await pending).toBe('viewer');
    lateResult.resolve(new AppError('unauthorized', 'wrong'));
    await lateResult.promise;
    expect(await outcome(storeDown)).toBe('away');
  });

  test('is one of a hundred', async () => {
    for (let index = 0; index <= 100; index += 1) await outcome(storeUp, { address: `10.0.1.${index}` });
    expect(await outcome(storeDown, { address: '10.0.1.0' })).toBe('away');
    expect(await outcome(storeDown, { address: '10.0.1.1' })).toBe('viewer');
  });
});
