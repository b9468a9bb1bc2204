import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ANN, AuthenticatorLab, HOME, LIMIT } from '../../../test/harness/authenticator-lab.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { createToken } from '../accounts/enrolment-tokens.ts';

function unwrap<T>(result: T | AppError): T {
  if (result instanceof AppError) throw new Error(result.detail);
  return result;
}

describe('authentication', () => {
  let fixture: AuthenticatorLab;
  beforeEach(async () => {
    fixture = await AuthenticatorLab.open();
  });
  afterEach(() => fixture.close());

  test('answers who it is', async () => {
    const { revision = 'none' } = (await fixture.store.reads.accounts.get(ANN)) ?? {};
    expect(await fixture.login()).toEqual({ account: 'ann', role: 'operator', revision });
    expect(await fixture.login()).toEqual({ account: 'ann', role: 'operator', revision });
  });

  test('stores the network of each login, also where the password is remembered', async () => {
    for (const address of ['10.0.0.1', '10.0.0.9']) {
      await fixture.login('right', address);
      expect(await fixture.store.reads.signInNetworks.getLastSignIn(address), address).toBeDefined();
    }
    expect(fixture.hasher.verifications).toBe(1);
  });

  test('stores the network once for 50 concurrent logins', async () => {
    await Promise.all(Array.from({ length: 50 }, () => fixture.login()));
    expect(fixture.transactions).toBe(1);
  });

  test.each([
    ['a wrong password', ANN, 'wrong'],
    ['an unknown user', 'bob', 'right'],
    ['a user whose name no account can have', 'no such name!', 'right'],
  ])(
    'costs one verification for %s, and says no more than that it is wrong',
    async (_what, name, password) => {
      const result = await fixture.login(password, HOME, name);
      expect(result).toMatchObject({
        code: 'unauthorized',
        detail: 'wrong account name or password',
      });
      expect(fixture.hasher.verifications).toBe(1);
    },
  );

  test.each([
    ['the name of an account', ANN, 'wrong', 'ann'],
    ['no name that is no account', 'bob', 'right', undefined],
    ['no name that may be a password', 'no such name!', 'right', undefined],
  ])('tells %s when it refuses', async (_what, name, password, account) => {
    await fixture.login(password, HOME, name);
    expect(fixture.refused).toEqual([{ account, address: HOME, code: 'unauthorized' }]);
  });

  test('tells of everyone whom it refuses, and of nobody else', async () => {
    for (let count = 0; count <= LIMIT; count += 1) await fixture.login('wrong', '10.0.0.2');
    expect(fixture.refused.map(({ code }) => code)).toEqual([
      ...Array.from({ length: LIMIT }, () => 'unauthorized'),
      'too_many_failed_logins',
    ]);
    fixture.nowMs = 60_000;
    await fixture.login();
    fixture.hasher.hasRoom = false;
    await fixture.login('other');
    expect(fixture.refused).toHaveLength(LIMIT + 1);
  });

  test('lets in by a token without a hash, looks it up each time, and tells by which name a wrong one came', async () => {
    const { secret } = unwrap(
      await createToken({ store: fixture.store, clock: systemClock }, LOCAL_ACTOR, {
        ...{ name: ANN, cluster: null, cidr: '', uses: 1, expiresInS: 60 },
      }),
    );
    const text = secret?.reveal() ?? '';
    const token = { id: expect.any(String), name: 'ann' };
    expect(await fixture.login(text, HOME, 'token')).toEqual({ account: 'token', role: 'enrol', token });
    expect(fixture.authenticator.findCachedLogin(new Secret(`token:${text}`), HOME)).toBeUndefined();
    await fixture.store.transaction(records => records.enrolmentTokens.remove(ANN));
    expect(await fixture.outcome(text, HOME, 'token')).toBe('unauthorized');
    expect(await fixture.outcome(text, HOME)).toBe('unauthorized');
    expect([fixture.refused[0], fixture.hasher.verifications]).toEqual([
      { account: 'token', address: HOME, code: 'unauthorized' },
      1,
    ]);
  });

  test.each([
    ['as many as', 100],
    ['more than', 150],
  ])(
    'costs one hash for calls at the same moment with the same credentials, %s may fail',
    async (_what, calls) => {
      await fixture.makeAuthenticator(100);
      const results = await Promise.all(Array.from({ length: calls }, () => fixture.outcome()));
      expect(new Set(results)).toEqual(new Set(['operator']));
      expect(fixture.hasher.verifications).toBe(1);
    },
  );

  test('leaves strangers all their guesses after many good logins at the same moment', async () => {
    await Promise.all(Array.from({ length: 50 }, () => fixture.login()));
    fixture.nowMs = 1;
    for (const address of ['10.0.0.2', '10.0.0.3', '10.0.0.4']) {
      expect(await fixture.outcome('wrong', address)).toBe('unauthorized');
    }
  });

  test('refuses a login whose account is changed while its password is verified', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    fixture.hasher.gate = promise;
    const result = fixture.outcome('right');
    await expect.poll(() => fixture.hasher.verifications).toBe(1);
    await fixture.put('new', 'viewer');
    resolve();
    expect(await result).toBe('unauthorized');
    expect(await fixture.outcome('right')).toBe('unauthorized');
  });

  test('counts no good login as a failure', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map(toRecordName);
    for (const name of names) await fixture.put('right', 'viewer', name);
    for (const name of names) expect(await fixture.outcome('right', HOME, name)).toBe('viewer');
  });

  test('counts no failure of the store as a failed login', async () => {
    fixture.isStoreAway = true;
    for (let count = 0; count <= LIMIT; count += 1)
      await expect(fixture.login()).rejects.toThrow('the store is away');
    fixture.isStoreAway = false;
    expect(await fixture.outcome()).toBe('operator');
  });

  test('refuses for a moment when too many passwords wait to be verified, but not who is remembered', async () => {
    await fixture.login();
    fixture.hasher.hasRoom = false;
    expect(await fixture.login('wrong')).toMatchObject({ code: 'server_busy', retryAfterS: 1 });
    expect(await fixture.outcome()).toBe('operator');
    expect(fixture.hasher.verifications).toBe(1);
  });
});
