import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ANN, AuthenticatorLab, HOME, LIMIT } from '../../../test/harness/authenticator-lab.ts';
import { LOCAL_ACTOR } from '../../domain/accounts/account.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { createToken } from '../tokens/create-token.ts';

function mustBe<T>(answer: T | AppError): T {
  if (answer instanceof AppError) throw new Error(answer.detail);
  return answer;
}

describe('authentication', () => {
  let lab: AuthenticatorLab;
  beforeEach(async () => {
    lab = await AuthenticatorLab.open();
  });
  afterEach(() => lab.close());

  test('answers who it is', async () => {
    const { revision = 'none' } = (await lab.store.reads.accounts.get(ANN)) ?? {};
    expect(await lab.login()).toEqual({ account: 'ann', role: 'operator', revision });
    expect(await lab.login()).toEqual({ account: 'ann', role: 'operator', revision });
  });

  test('stores the network of each login, also where the password is remembered', async () => {
    for (const address of ['10.0.0.1', '10.0.0.9']) {
      await lab.login('right', address);
      expect(await lab.store.reads.signInNetworks.lastAt(address), address).toBeDefined();
    }
    expect(lab.hasher.verifications).toBe(1);
  });

  test('stores the network once for 50 concurrent logins', async () => {
    await Promise.all(Array.from({ length: 50 }, () => lab.login()));
    expect(lab.transactions).toBe(1);
  });

  test.each([
    ['a wrong password', ANN, 'wrong'],
    ['an unknown user', 'bob', 'right'],
    ['a user whose name no account can have', 'no such name!', 'right'],
  ])(
    'costs one verification for %s, and says no more than that it is wrong',
    async (_what, name, password) => {
      const answer = await lab.login(password, HOME, name);
      expect(answer).toMatchObject({
        code: 'unauthorized',
        detail: 'wrong account name or password',
      });
      expect(lab.hasher.verifications).toBe(1);
    },
  );

  test.each([
    ['the name of an account', ANN, 'wrong', 'ann'],
    ['no name that is no account', 'bob', 'right', undefined],
    ['no name that may be a password', 'no such name!', 'right', undefined],
  ])('tells %s when it refuses', async (_what, name, password, account) => {
    await lab.login(password, HOME, name);
    expect(lab.refused).toEqual([{ account, address: HOME, code: 'unauthorized' }]);
  });

  test('tells of everyone whom it refuses, and of nobody else', async () => {
    for (let count = 0; count <= LIMIT; count += 1) await lab.login('wrong', '10.0.0.2');
    expect(lab.refused.map(({ code }) => code)).toEqual([
      ...Array.from({ length: LIMIT }, () => 'unauthorized'),
      'too_many_failed_logins',
    ]);
    lab.nowMs = 60_000;
    await lab.login();
    lab.hasher.hasRoom = false;
    await lab.login('other');
    expect(lab.refused).toHaveLength(LIMIT + 1);
  });

  test('lets in by a token without a hash, looks it up each time, and tells by which name a wrong one came', async () => {
    const { secret } = mustBe(
      await createToken({ store: lab.store, clock: systemClock }, LOCAL_ACTOR, {
        ...{ name: ANN, cluster: null, cidr: '', uses: 1, expiresInS: 60 },
      }),
    );
    const text = secret?.reveal() ?? '';
    const token = { id: expect.any(String), name: 'ann' };
    expect(await lab.login(text, HOME, 'token')).toEqual({ account: 'token', role: 'enrol', token });
    expect(lab.authenticator.recentCaller(new Secret(`token:${text}`), HOME)).toBeUndefined();
    await lab.store.transaction(records => records.enrolmentTokens.remove(ANN));
    expect(await lab.outcome(text, HOME, 'token')).toBe('unauthorized');
    expect(await lab.outcome(text, HOME)).toBe('unauthorized');
    expect([lab.refused[0], lab.hasher.verifications]).toEqual([
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
      await lab.makeAuthenticator(100);
      const answers = await Promise.all(Array.from({ length: calls }, () => lab.outcome()));
      expect(new Set(answers)).toEqual(new Set(['operator']));
      expect(lab.hasher.verifications).toBe(1);
    },
  );

  test('leaves strangers all their guesses after many good logins at the same moment', async () => {
    await Promise.all(Array.from({ length: 50 }, () => lab.login()));
    lab.nowMs = 1;
    for (const address of ['10.0.0.2', '10.0.0.3', '10.0.0.4']) {
      expect(await lab.outcome('wrong', address)).toBe('unauthorized');
    }
  });

  test('refuses a login whose account is changed while its password is verified', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    lab.hasher.gate = promise;
    const answer = lab.outcome('right');
    await expect.poll(() => lab.hasher.verifications).toBe(1);
    await lab.put('new', 'viewer');
    resolve();
    expect(await answer).toBe('unauthorized');
    expect(await lab.outcome('right')).toBe('unauthorized');
  });

  test('counts no good login as a failure', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map(toRecordName);
    for (const name of names) await lab.put('right', 'viewer', name);
    for (const name of names) expect(await lab.outcome('right', HOME, name)).toBe('viewer');
  });

  test('counts no failure of the store as a failed login', async () => {
    lab.isStoreAway = true;
    for (let count = 0; count <= LIMIT; count += 1)
      await expect(lab.login()).rejects.toThrow('the store is away');
    lab.isStoreAway = false;
    expect(await lab.outcome()).toBe('operator');
  });

  test('refuses for a moment when too many passwords wait to be verified, but not who is remembered', async () => {
    await lab.login();
    lab.hasher.hasRoom = false;
    expect(await lab.login('wrong')).toMatchObject({ code: 'server_busy', retryAfterS: 1 });
    expect(await lab.outcome()).toBe('operator');
    expect(lab.hasher.verifications).toBe(1);
  });
});
