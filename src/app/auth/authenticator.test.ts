import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ANN,
  AuthenticatorFixture,
  HOME_ADDRESS,
  MAX_FAILED_LOGINS,
} from '../../../test/harness/authenticator-fixtures.ts';
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

describe('Authenticator', () => {
  let fixture: AuthenticatorFixture;
  beforeEach(async () => {
    fixture = await AuthenticatorFixture.open();
  });
  afterEach(() => fixture.close());

  test('returns account, role and revision', async () => {
    const { revision = 'none' } = (await fixture.store.reads.accounts.get(ANN)) ?? {};
    expect(await fixture.login()).toEqual({ account: 'ann', role: 'operator', revision });
    expect(await fixture.login()).toEqual({ account: 'ann', role: 'operator', revision });
  });

  test('stores the network of each login, also with a cached password', async () => {
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
    ['an invalid user name', 'no such name!', 'right'],
  ])('runs one verification for %s and does not reveal what is wrong', async (_case, name, password) => {
    const result = await fixture.login(password, HOME_ADDRESS, name);
    expect(result).toMatchObject({
      code: 'unauthorized',
      detail: 'wrong account name or password',
    });
    expect(fixture.hasher.verifications).toBe(1);
  });

  test.each([
    ['the account name', ANN, 'wrong', 'ann'],
    ['no name of an unknown account', 'bob', 'right', undefined],
    ['no invalid name, which may be a password,', 'no such name!', 'right', undefined],
  ])('reports %s for a rejected login', async (_case, name, password, account) => {
    await fixture.login(password, HOME_ADDRESS, name);
    expect(fixture.rejected).toEqual([{ account, address: HOME_ADDRESS, code: 'unauthorized' }]);
  });

  test('reports every rejected login and no other', async () => {
    for (let count = 0; count <= MAX_FAILED_LOGINS; count += 1) await fixture.login('wrong', '10.0.0.2');
    expect(fixture.rejected.map(({ code }) => code)).toEqual([
      ...Array.from({ length: MAX_FAILED_LOGINS }, () => 'unauthorized'),
      'too_many_failed_logins',
    ]);
    fixture.nowMs = 60_000;
    await fixture.login();
    fixture.hasher.hasCapacity = false;
    await fixture.login('other');
    expect(fixture.rejected).toHaveLength(MAX_FAILED_LOGINS + 1);
  });

  test('accepts a token without a hash, reads it each time and reports rejected tokens', async () => {
    const { secret } = unwrap(
      await createToken({ store: fixture.store, clock: systemClock }, LOCAL_ACTOR, {
        ...{ name: ANN, cluster: null, cidr: '', uses: 1, expiresInS: 60 },
      }),
    );
    const text = secret?.reveal() ?? '';
    const token = { id: expect.any(String), name: 'ann' };
    expect(await fixture.login(text, HOME_ADDRESS, 'token')).toEqual({
      account: 'token',
      role: 'enrol',
      token,
    });
    expect(fixture.authenticator.findCachedLogin(new Secret(`token:${text}`), HOME_ADDRESS)).toBeUndefined();
    await fixture.store.transaction(records => records.enrolmentTokens.remove(ANN));
    expect(await fixture.outcome(text, HOME_ADDRESS, 'token')).toBe('unauthorized');
    expect(await fixture.outcome(text, HOME_ADDRESS)).toBe('unauthorized');
    expect([fixture.rejected[0], fixture.hasher.verifications]).toEqual([
      { account: 'token', address: HOME_ADDRESS, code: 'unauthorized' },
      1,
    ]);
  });

  test.each([
    ['at', 100],
    ['above', 150],
  ])(
    'computes one hash for concurrent logins with the same credentials, %s the failure limit',
    async (_case, calls) => {
      await fixture.createAuthenticator(100);
      const results = await Promise.all(Array.from({ length: calls }, () => fixture.outcome()));
      expect(new Set(results)).toEqual(new Set(['operator']));
      expect(fixture.hasher.verifications).toBe(1);
    },
  );

  test('leaves the failure limit of other addresses unused after many successful logins', async () => {
    await Promise.all(Array.from({ length: 50 }, () => fixture.login()));
    fixture.nowMs = 1;
    for (const address of ['10.0.0.2', '10.0.0.3', '10.0.0.4']) {
      expect(await fixture.outcome('wrong', address)).toBe('unauthorized');
    }
  });

  test('rejects a login if its account changes during the verification', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    fixture.hasher.gate = promise;
    const result = fixture.outcome('right');
    await expect.poll(() => fixture.hasher.verifications).toBe(1);
    await fixture.put('new', 'viewer');
    resolve();
    expect(await result).toBe('unauthorized');
    expect(await fixture.outcome('right')).toBe('unauthorized');
  });

  test('does not count successful logins as failures', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map(toRecordName);
    for (const name of names) await fixture.put('right', 'viewer', name);
    for (const name of names) expect(await fixture.outcome('right', HOME_ADDRESS, name)).toBe('viewer');
  });

  test('does not count store outages as failed logins', async () => {
    fixture.isStoreUnavailable = true;
    for (let count = 0; count <= MAX_FAILED_LOGINS; count += 1)
      await expect(fixture.login()).rejects.toThrow('store unavailable');
    fixture.isStoreUnavailable = false;
    expect(await fixture.outcome()).toBe('operator');
  });

  test('returns server_busy if the hash queue is full, except for cached logins', async () => {
    await fixture.login();
    fixture.hasher.hasCapacity = false;
    expect(await fixture.login('wrong')).toMatchObject({ code: 'server_busy', retryAfterS: 1 });
    expect(await fixture.outcome()).toBe('operator');
    expect(fixture.hasher.verifications).toBe(1);
  });
});
