import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newAccount, putAccount } from '../../src/app/accounts/manage-accounts.ts';
import { Authenticator } from '../../src/app/auth/authenticator.ts';
import { LoginCache } from '../../src/app/auth/login-cache.ts';
import type { PasswordHasher } from '../../src/app/auth/password-hasher.ts';
import type { RejectedLogin } from '../../src/app/events/rejection-recorder.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import { AppError } from '../../src/domain/errors.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { Role } from '../../src/domain/vocabulary.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { openSqlite } from '../../src/store/sqlite/open-sqlite.ts';
import type { Store } from '../../src/store/store.ts';

export const ANN = toRecordName('ann');
export const HOME_ADDRESS = '10.0.0.1';
export const MAX_FAILED_LOGINS = 3;

class CountingHasher implements PasswordHasher {
  verifications = 0;
  hasCapacity = true;
  /** Every verification waits for this promise. */
  gate = Promise.resolve();

  async hash(password: Secret) {
    return `hash of ${password.reveal()}`;
  }

  async verify(passwordHash: string, password: Secret) {
    if (!this.hasCapacity) return new AppError('server_busy', 'busy', { retryAfterS: 1 });
    this.verifications += 1;
    await this.gate;
    if (!passwordHash.startsWith('hash of ')) throw new Error('not a password hash');
    return passwordHash === `hash of ${password.reveal()}`;
  }
}

/** An authenticator on its own store. Ann is an operator with the password `right`. */
export class AuthenticatorFixture {
  readonly store: Store;
  readonly #folder: string;
  readonly hasher = new CountingHasher();
  readonly rejected: RejectedLogin[] = [];
  nowMs = 0;
  isStoreUnavailable = false;
  transactions = 0;
  readonly #clock = { ...systemClock, now: () => 0, monotonicMs: () => this.nowMs };
  readonly cache = new LoginCache(this.#clock);
  #authenticator: Authenticator | undefined;

  private constructor(folder: string, store: Store) {
    this.#folder = folder;
    this.store = store;
  }

  static async open(): Promise<AuthenticatorFixture> {
    const folder = mkdtempSync(path.join(tmpdir(), 'hostler-accounts-'));
    const fixture = new AuthenticatorFixture(folder, await openSqlite(folder));
    await fixture.createAuthenticator(MAX_FAILED_LOGINS);
    await fixture.put('right', 'operator');
    return fixture;
  }

  async close(): Promise<void> {
    await this.store.close();
    rmSync(this.#folder, { recursive: true });
  }

  get authenticator(): Authenticator {
    if (this.#authenticator === undefined) throw new Error('the authenticator has not been created');
    return this.#authenticator;
  }

  async createAuthenticator(failedLoginsPerMinute: number): Promise<void> {
    const { store } = this;
    const isUnavailable = () => this.isStoreUnavailable;
    const countTransaction = () => {
      this.transactions += 1;
    };
    const unavailableStore: Store = {
      ...store,
      get reads() {
        if (isUnavailable()) throw new Error('store unavailable');
        return store.reads;
      },
      transaction: run => {
        countTransaction();
        return store.transaction(run);
      },
    };
    this.#authenticator = await Authenticator.create({
      ...{ store: unavailableStore, hasher: this.hasher, clock: this.#clock, cache: this.cache },
      failedLoginsPerMinute,
      recordRejectedLogin: login => this.rejected.push(login),
    });
  }

  put(password: string, role: Role, name = ANN) {
    const invalidateAccount = () => this.cache.invalidateAccount(name);
    return putAccount({ store: this.store, clock: this.#clock, hasher: this.hasher, invalidateAccount }, LOCAL_ACTOR, {
      ...{ name, password: new Secret(password), role },
    });
  }

  /** Changes the store as another server does, without invalidating the cache of this one. */
  putOnOtherServer(password: string, role: Role) {
    const account = newAccount(ANN, role, `hash of ${password}`, 0);
    return this.store.transaction(records => records.accounts.update(account));
  }

  removeOnOtherServer() {
    return this.store.transaction(records => records.accounts.remove(ANN));
  }

  login(password = 'right', address = HOME_ADDRESS, name: string = ANN) {
    return this.authenticator.authenticate(
      { name, password: new Secret(password), authorizationHeader: new Secret(`${name}:${password}`) },
      address,
    );
  }

  /** Returns the role of a successful login, or the error code. */
  async outcome(...args: Parameters<AuthenticatorFixture['login']>): Promise<string> {
    const result = await this.login(...args);
    return result instanceof AppError ? result.code : result.role;
  }

  async failLoginsFrom(...addresses: readonly string[]): Promise<void> {
    for (const address of addresses) await this.login('wrong', address);
  }

  /** Returns the role if the login is in the cache. */
  cachedRole(password = 'right', address = HOME_ADDRESS): Role | 'enrol' | undefined {
    return this.authenticator.findCachedLogin(new Secret(`${ANN}:${password}`), address)?.role;
  }
}
