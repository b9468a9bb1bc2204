import { beforeEach, describe, expect, test } from 'vitest';
import { AppError, StoreUnavailableError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { VirtualClock } from '../../lib/time/virtual-clock.ts';
import { LastingLogins } from './lasting-logins.ts';
import type { Login } from './login.ts';

const LOGIN: Login = { account: toRecordName('prometheus'), role: 'viewer' };
const HOME = '10.0.0.1';
const HOUR_MS = 3_600_000;

describe('a login that lasts while the store is away', () => {
  let clock: VirtualClock;
  let logins: LastingLogins;
  beforeEach(() => {
    clock = new VirtualClock();
    logins = new LastingLogins(clock);
  });

  const up = async (): Promise<Login | AppError> => LOGIN;
  const away = async (): Promise<Login | AppError> => {
    throw new StoreUnavailableError(undefined);
  };
  /** Who is let in: `viewer`, the code of a refusal, or `away`. */
  const outcome = async (
    ask: () => Promise<Login | AppError>,
    { password = 'right', address = HOME, name = 'prometheus' } = {},
  ) => {
    const credentials = { name, password: new Secret(password), presented: new Secret(password) };
    try {
      const found = await logins.letIn(credentials, address, ask);
      return found instanceof AppError ? found.code : found.role;
    } catch (error) {
      if (error instanceof StoreUnavailableError) return 'away';
      throw error;
    }
  };

  test('is one that the store let in within the last hour', async () => {
    expect(await outcome(away)).toBe('away');
    await outcome(up);
    await clock.advance(HOUR_MS - 1);
    expect(await outcome(away)).toBe('viewer');
    await clock.advance(1);
    expect(await outcome(away)).toBe('away');
  });

  test.each([
    ['another password', { password: 'wrong' }],
    ['another address', { address: '10.0.0.2' }],
    ['another account', { name: 'ann' }],
  ])('does not count for %s', async (_what, other) => {
    await outcome(up);
    expect(await outcome(away, other)).toBe('away');
  });

  test('is forgotten at the first wrong guess', async () => {
    await outcome(up);
    await outcome(away, { password: 'wrong' });
    expect(await outcome(away)).toBe('away');
  });

  test('is forgotten when an account changes, also while the store is asked', async () => {
    await outcome(up);
    logins.clear();
    expect(await outcome(away)).toBe('away');
    await outcome(async () => {
      logins.clear();
      return LOGIN;
    });
    expect(await outcome(away)).toBe('away');
  });

  test('is forgotten when the store refuses it, but not when it refuses another password', async () => {
    const refuse = async () => new AppError('unauthorized', 'wrong');
    await outcome(up);
    expect(await outcome(refuse, { password: 'wrong' })).toBe('unauthorized');
    expect(await outcome(away)).toBe('viewer');
    expect(await outcome(refuse)).toBe('unauthorized');
    expect(await outcome(away)).toBe('away');
  });

  test('does not wait for long for a store that says nothing', async () => {
    await outcome(up);
    const asked = outcome(() => new Promise(() => {}));
    await clock.advance(3000);
    expect(await asked).toBe('viewer');
  });

  test('is forgotten by what the store says late', async () => {
    await outcome(up);
    const late = Promise.withResolvers<Login | AppError>();
    const asked = outcome(() => late.promise);
    await clock.advance(3000);
    expect(await asked).toBe('viewer');
    late.resolve(new AppError('unauthorized', 'wrong'));
    await late.promise;
    expect(await outcome(away)).toBe('away');
  });

  test('is one of a hundred', async () => {
    for (let index = 0; index <= 100; index += 1) await outcome(up, { address: `10.0.1.${index}` });
    expect(await outcome(away, { address: '10.0.1.0' })).toBe('away');
    expect(await outcome(away, { address: '10.0.1.1' })).toBe('viewer');
  });
});
