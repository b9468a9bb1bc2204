import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_ACTOR } from '../../domain/accounts/actor.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { recordNameOf } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { openSqlite } from '../../store/sqlite/open-sqlite.ts';
import type { Store } from '../../store/store.ts';
import type { RefusedLogin } from '../audit/refusals.ts';
import { createToken } from '../tokens/create-token.ts';
import { Authenticator } from './authenticate.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { newAccount, putAccount } from './put-account.ts';

class CountingHasher implements PasswordHasher {
  verifications = 0;
  hasRoom = true;
  /** What every verification waits for. */
  gate = Promise.resolve();

  async hash(password: Secret) {
    return `hash of ${password.reveal()}`;
  }

  async verify(passwordHash: string, password: Secret) {
    if (!this.hasRoom) return new Refusal('server_busy', 'busy', { retryAfterS: 1 });
    this.verifications += 1;
    await this.gate;
    if (!passwordHash.startsWith('hash of ')) throw new Error('costs nothing, since it is no hash');
    return passwordHash === `hash of ${password.reveal()}`;
  }
}

const ANN = recordNameOf('ann');
const HOME = '10.0.0.1';
const LIMIT = 3;

function mustBe<T>(answer: T | Refusal): T {
  if (answer instanceof Refusal) throw new Error(answer.detail);
  return answer;
}

describe('authentication', () => {
  let folder: string;
  let store: Store;
  let isStoreAway: boolean;
  let nowMs: number;
  let hasher: CountingHasher;
  let authenticator: Authenticator;
  let refused: RefusedLogin[];
  const clock = { now: () => 0, monotonicMs: () => nowMs };

  const makeAuthenticator = async (failedLoginsPerMinute: number) => {
    const awayStore: Store = {
      ...store,
      get reads() {
        if (isStoreAway) throw new Error('the store is away');
        return store.reads;
      },
    };
    authenticator = await Authenticator.create({
      ...{ store: awayStore, hasher, clock, failedLoginsPerMinute },
      loginRefused: login => refused.push(login),
    });
  };

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'hostler-accounts-'));
    store = await openSqlite(folder);
    [isStoreAway, nowMs, hasher, refused] = [false, 0, new CountingHasher(), []];
    await makeAuthenticator(LIMIT);
    await put('right', 'operator');
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const accountChanged = (name: RecordName) => authenticator.accountChanged(name);
  const put = (password: string, role: Role, name = ANN) =>
    putAccount({ store, clock, hasher, accountChanged }, LOCAL_ACTOR, {
      name,
      password: new Secret(password),
      role,
    });
  /** As another server on the same store does it: nobody tells this one. */
  const putElsewhere = (password: string, role: Role) =>
    store.transaction(records => records.accounts.update(newAccount(ANN, role, `hash of ${password}`, 0)));
  const removeElsewhere = () => store.transaction(records => records.accounts.remove(ANN));

  const login = (password = 'right', address = HOME, name: string = ANN) =>
    authenticator.authenticate(
      { name, password: new Secret(password), presented: new Secret(`${name}:${password}`) },
      address,
    );
  /** The role of a good login, or the code of the refusal. */
  const outcome = async (...args: Parameters<typeof login>) => {
    const answer = await login(...args);
    return answer instanceof Refusal ? answer.code : answer.role;
  };
  const failFrom = async (...addresses: string[]) => {
    for (const address of addresses) await login('wrong', address);
  };

  test('answers who it is', async () => {
    const { revision = 'none' } = (await store.reads.accounts.get(ANN)) ?? {};
    expect(await login()).toEqual({ account: 'ann', role: 'operator', revision });
    expect(await login()).toEqual({ account: 'ann', role: 'operator', revision });
  });

  test.each([
    ['a wrong password', ANN, 'wrong'],
    ['an unknown user', 'bob', 'right'],
    ['a user whose name no account can have', 'no such name!', 'right'],
  ])(
    'costs one verification for %s, and says no more than that it is wrong',
    async (_what, name, password) => {
      const answer = await login(password, HOME, name);
      expect(answer).toMatchObject({
        code: 'unauthorized',
        detail: 'the user name or the password is wrong',
      });
      expect(hasher.verifications).toBe(1);
    },
  );

  test.each([
    ['the name of an account', ANN, 'wrong', 'ann'],
    ['no name that is no account', 'bob', 'right', undefined],
    ['no name that may be a password', 'no such name!', 'right', undefined],
  ])('tells %s when it refuses', async (_what, name, password, account) => {
    await login(password, HOME, name);
    expect(refused).toEqual([{ account, address: HOME, code: 'unauthorized' }]);
  });

  test('tells of everyone whom it refuses, and of nobody else', async () => {
    for (let count = 0; count <= LIMIT; count += 1) await login('wrong', '10.0.0.2');
    expect(refused.map(({ code }) => code)).toEqual([
      ...Array.from({ length: LIMIT }, () => 'unauthorized'),
      'too_many_failed_logins',
    ]);
    nowMs = 60_000;
    await login();
    hasher.hasRoom = false;
    await login('other');
    expect(refused).toHaveLength(LIMIT + 1);
  });

  test('costs nothing for a login that is remembered, from anywhere', async () => {
    await login();
    expect([await outcome(), await outcome('right', '10.0.0.9')]).toEqual(['operator', 'operator']);
    expect(hasher.verifications).toBe(1);
  });

  const recent = (password = 'right', address = HOME) =>
    authenticator.recentCaller(new Secret(`${ANN}:${password}`), address)?.role;

  test('lets in by a token without a hash, looks it up each time, and tells by which name a wrong one came', async () => {
    const { secret } = mustBe(
      await createToken({ store, clock: systemClock }, LOCAL_ACTOR, {
        ...{ name: ANN, cluster: null, cidr: '', uses: 1, expiresInS: 60 },
      }),
    );
    const text = secret?.reveal() ?? '';
    const token = { id: expect.any(String), name: 'ann' };
    expect(await login(text, HOME, 'token')).toEqual({ account: 'token', role: 'enrol', token });
    expect(authenticator.recentCaller(new Secret(`token:${text}`), HOME)).toBeUndefined();
    await store.transaction(records => records.enrolmentTokens.remove(ANN));
    expect(await outcome(text, HOME, 'token')).toBe('unauthorized');
    expect(await outcome(text, HOME)).toBe('unauthorized');
    expect([refused[0], hasher.verifications]).toEqual([
      { account: 'token', address: HOME, code: 'unauthorized' },
      1,
    ]);
  });

  test('knows a caller again at once, with the same credentials from the same address', async () => {
    expect(recent()).toBeUndefined();
    await login();
    expect([recent(), recent('wrong'), recent('right', '10.0.0.9')]).toEqual([
      'operator',
      undefined,
      undefined,
    ]);
  });

  test('knows a caller again no longer than a second after the account was read', async () => {
    await login();
    nowMs = 600;
    await login();
    nowMs = 999;
    expect(recent()).toBe('operator');
    nowMs = 1000;
    expect(recent()).toBeUndefined();
    await login();
    nowMs = 1999;
    expect(recent()).toBe('operator');
  });

  test('knows nobody again once an account has changed here', async () => {
    await login();
    await put('new', 'viewer');
    expect(recent()).toBeUndefined();
  });

  test('knows nobody again once somebody has guessed too often', async () => {
    await login();
    for (let count = 0; count <= LIMIT; count += 1) await login('wrong');
    expect(recent()).toBeUndefined();
  });

  test('remembers a login for one minute only', async () => {
    await login();
    nowMs = 60_000;
    await login();
    expect(hasher.verifications).toBe(1);
    nowMs = 60_001;
    expect(await outcome()).toBe('operator');
    expect(hasher.verifications).toBe(2);
  });

  test('does not remember what was wrong', async () => {
    await login('wrong');
    await login('wrong');
    expect(hasher.verifications).toBe(2);
  });

  test.each([
    ['as many as', 100],
    ['more than', 150],
  ])(
    'costs one hash for calls at the same moment with the same credentials, %s may fail',
    async (_what, calls) => {
      await makeAuthenticator(100);
      const answers = await Promise.all(Array.from({ length: calls }, () => outcome()));
      expect(new Set(answers)).toEqual(new Set(['operator']));
      expect(hasher.verifications).toBe(1);
    },
  );

  test('leaves strangers all their guesses after many good logins at the same moment', async () => {
    await Promise.all(Array.from({ length: 50 }, () => login()));
    nowMs = 1;
    for (const address of ['10.0.0.2', '10.0.0.3', '10.0.0.4']) {
      expect(await outcome('wrong', address)).toBe('unauthorized');
    }
  });

  describe('of a login that was remembered', () => {
    beforeEach(() => login());

    test('a change of the account counts at once', async () => {
      await put('new', 'viewer');
      expect([await outcome('right'), await outcome('new')]).toEqual(['unauthorized', 'viewer']);
    });

    test('a change of the role alone counts at once', async () => {
      await put('right', 'viewer');
      expect(await outcome()).toBe('viewer');
    });

    test('the removal of the account counts at once', async () => {
      await removeElsewhere();
      authenticator.accountChanged(ANN);
      expect(await outcome()).toBe('unauthorized');
    });

    test('a change by another server counts within a second', async () => {
      await putElsewhere('new', 'viewer');
      nowMs = 999;
      expect(await outcome('right')).toBe('operator');
      nowMs = 1000;
      expect([await outcome('right'), await outcome('new')]).toEqual(['unauthorized', 'viewer']);
    });

    test('its removal by another server counts within a second', async () => {
      await removeElsewhere();
      nowMs = 1000;
      expect(await outcome()).toBe('unauthorized');
    });

    test('nothing is verified again while the account stays as it is', async () => {
      for (nowMs = 0; nowMs < 60_000; nowMs += 500) expect(await outcome()).toBe('operator');
      expect(hasher.verifications).toBe(1);
    });
  });

  test('refuses a login whose account is changed while its password is verified', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    hasher.gate = promise;
    const answer = outcome('right');
    await expect.poll(() => hasher.verifications).toBe(1);
    await put('new', 'viewer');
    resolve();
    expect(await answer).toBe('unauthorized');
    expect(await outcome('right')).toBe('unauthorized');
  });

  describe('after too many failures', () => {
    const OTHERS = ['10.0.1.1', '10.0.1.2', '10.0.1.3'];

    test('computes no hash any more, and says when to come back', async () => {
      await failFrom(HOME, HOME, HOME);
      expect(await login('wrong')).toMatchObject({ code: 'too_many_failed_logins', retryAfterS: 20 });
      expect(hasher.verifications).toBe(LIMIT);
    });

    test('refuses the right password from that address too, until time has passed', async () => {
      await failFrom(HOME, HOME, HOME);
      expect(await login('right')).toMatchObject({ code: 'too_many_failed_logins', retryAfterS: 20 });
      nowMs += 20_000;
      expect(await outcome('right')).toBe('operator');
      expect(await outcome('right')).toBe('operator');
    });

    test('gives back one guess at a time', async () => {
      await failFrom(HOME, HOME, HOME);
      nowMs += 20_000;
      expect([await outcome('wrong'), await outcome('wrong')]).toEqual([
        'unauthorized',
        'too_many_failed_logins',
      ]);
    });

    test('does not lock out an address that logged in before, for failures from elsewhere', async () => {
      await login('right', HOME);
      nowMs += 60_001;
      await failFrom(...OTHERS);
      expect(await outcome('right', HOME)).toBe('operator');
      expect(await login('right', '10.0.9.9')).toMatchObject({ code: 'too_many_failed_logins' });
    });

    test('does not lock out an address whose login was remembered from another', async () => {
      await login('right', '10.0.0.2');
      await login('right', HOME);
      nowMs += 60_001;
      await failFrom(...OTHERS);
      expect(await outcome('right', HOME)).toBe('operator');
    });

    test('lets nobody guess at what is remembered', async () => {
      await login('right', HOME);
      await failFrom('10.0.0.2', '10.0.0.2', '10.0.0.2');
      expect(await outcome('right', '10.0.0.2')).toBe('too_many_failed_logins');
      expect(await outcome('right', HOME)).toBe('operator');
    });

    test('lets nobody guess at what is remembered from the very address that logged in', async () => {
      await login('right', HOME);
      await failFrom(HOME, HOME, HOME);
      expect(await outcome('right', HOME)).toBe('operator');
      expect(await outcome('wrong', HOME)).toBe('too_many_failed_logins');
      expect(await outcome('right', HOME)).toBe('too_many_failed_logins');
    });
  });

  test('counts no good login as a failure', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'].map(recordNameOf);
    for (const name of names) await put('right', 'viewer', name);
    for (const name of names) expect(await outcome('right', HOME, name)).toBe('viewer');
  });

  test('counts no failure of the store as a failed login', async () => {
    isStoreAway = true;
    for (let count = 0; count <= LIMIT; count += 1)
      await expect(login()).rejects.toThrow('the store is away');
    isStoreAway = false;
    expect(await outcome()).toBe('operator');
  });

  test('refuses for a moment when too many passwords wait to be verified, but not who is remembered', async () => {
    await login();
    hasher.hasRoom = false;
    expect(await login('wrong')).toMatchObject({ code: 'server_busy', retryAfterS: 1 });
    expect(await outcome()).toBe('operator');
    expect(hasher.verifications).toBe(1);
  });
});
