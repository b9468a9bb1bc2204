import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newAccount, putAccount } from '../../src/app/accounts/manage-accounts.ts';
import { Authenticator } from '../../src/app/auth/authenticator.ts';
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
export const HOME = '10.0.0.1';
/** So many logins may fail in a minute. */
export const LIMIT = 3;

class CountingHasher implements PasswordHasher {
  verifications = 0;
  hasRoom = true;
  /** What every verification waits for. */
  gate = Promise.resolve();

  async hash(password: Secret) {
    return `hash of ${password.reveal()}`;
  }

  async verify(passwordHash: string, password: Secret) {
    if (!this.hasRoom) return new AppError('server_busy', 'busy', { retryAfterS: 1 });
    this.verifications += 1;
    await this.gate;
    if (!passwordHash.startsWith('hash of ')) throw new Error('costs nothing, since it is no hash');
    return passwordHash === `hash of ${password.reveal()}`;
  }
}

/** An authenticator on a store of its own, in which Ann is an operator whose password is `right`. */
export class AuthenticatorLab {
  readonly store: Store;
  readonly #folder: string;
  readonly hasher = new CountingHasher();
  readonly refused: RejectedLogin[] = [];
  nowMs = 0;
  isStoreAway = false;
  /** The transactions of the authenticator. */
  transactions = 0;
  readonly #clock = { ...systemClock, now: () => 0, monotonicMs: () => this.nowMs };
  #authenticator: Authenticator | undefined;

  private constructor(folder: string, store: Store) {
    this.#folder = folder;
    this.store = store;
  }

  static async open(): Promise<AuthenticatorLab> {
    const folder = mkdtempSync(path.join(tmpdir(), 'hostler-accounts-'));
    const lab = new AuthenticatorLab(folder, await openSqlite(folder));
    await lab.makeAuthenticator(LIMIT);
    await lab.put('right', 'operator');
    return lab;
  }

  async close(): Promise<void> {
    await this.store.close();
    rmSync(this.#folder, { recursive: true });
  }

  get authenticator(): Authenticator {
    if (this.#authenticator === undefined) throw new Error('there is no authenticator yet');
    return this.#authenticator;
  }

  async makeAuthenticator(failedLoginsPerMinute: number): Promise<void> {
    const { store } = this;
    const isAway = () => this.isStoreAway;
    const countTransaction = () => {
      this.transactions += 1;
    };
    const awayStore: Store = {
      ...store,
      get reads() {
        if (isAway()) throw new Error('the store is away');
        return store.reads;
      },
      transaction: work => {
        countTransaction();
        return store.transaction(work);
      },
    };
    this.#authenticator = await Authenticator.create({
      ...{ store: awayStore, hasher: this.hasher, clock: this.#clock, failedLoginsPerMinute },
      recordRejectedLogin: login => this.refused.push(login),
    });
  }

  put(password: string, role: Role, name = ANN) {
    const invalidateAccount = () => this.authenticator.invalidateAccount(name);
    return putAccount(
      { store: this.store, clock: this.#clock, hasher: this.hasher, invalidateAccount },
      LOCAL_ACTOR,
      {
        ...{ name, password: new Secret(password), role },
      },
    );
  }

  /** As another server on the same store does it: nobody tells this one. */
  putElsewhere(password: string, role: Role) {
    const account = newAccount(ANN, role, `hash of ${password}`, 0);
    return this.store.transaction(records => records.accounts.update(account));
  }

  removeElsewhere() {
    return this.store.transaction(records => records.accounts.remove(ANN));
  }

  login(password = 'right', address = HOME, name: string = ANN) {
    return this.authenticator.authenticate(
      { name, password: new Secret(password), authorizationHeader: new Secret(`${name}:${password}`) },
      address,
    );
  }

  /** The role of a good login, or the code of the refusal. */
  async outcome(...args: Parameters<AuthenticatorLab['login']>): Promise<string> {
    const answer = await this.login(...args);
    return answer instanceof AppError ? answer.code : answer.role;
  }

  async failFrom(...addresses: readonly string[]): Promise<void> {
    for (const address of addresses) await this.login('wrong', address);
  }

  /** The role of who is known again without a look at the store. */
  recent(password = 'right', address = HOME): Role | 'enrol' | undefined {
    return this.authenticator.findCachedLogin(new Secret(`${ANN}:${password}`), address)?.role;
  }
}
