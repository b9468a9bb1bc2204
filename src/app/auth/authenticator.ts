import type { Account } from '../../domain/accounts/account.ts';
import { RESERVED_ACCOUNT_NAME } from '../../domain/accounts/account.ts';
import { tokenDigest } from '../../domain/accounts/enrolment-token.ts';
import { AppError, StoreUnavailableError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { isRecordName, toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { newId } from '../../lib/random.ts';
import type { TimerClock } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';
import type { RejectedLogin } from '../events/rejection-recorder.ts';
import { STARTING } from '../readiness.ts';
import type { LoginCache, ReadMark } from './login-cache.ts';
import { LoginRateLimiter } from './login-rate-limiter.ts';
import { authenticateWithFallback } from './outage-login.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { Credentials, Principal } from './principal.ts';
import { TrustedNetworks } from './trusted-networks.ts';

const TOKEN_ACCOUNT = toRecordName(RESERVED_ACCOUNT_NAME);

/**
 * Reads the store each time, so a removed token is rejected at once. The enrolment checks whether the token is usable,
 * because a host that enrolled with it may repeat the request.
 */
async function findTokenPrincipal(store: Store, secret: Secret): Promise<Principal | undefined> {
  const digest = tokenDigest(secret);
  const token = digest === undefined ? undefined : await store.reads.enrolmentTokens.findByDigest(digest);
  return token && { account: TOKEN_ACCOUNT, role: 'enrol', token: { id: token.id, name: token.name } };
}

// Invariants:
// - A login that is not cached passes the rate limiter and then costs one hash, whether or not the account exists.
// - A network with too many failed logins is rejected even for cached logins, unless the account signed in from there.
// - Enrolment tokens cannot be guessed and need no hash. They have their own limit of failures.

/** `mark`: undefined if the login must not be cached. */
interface VerifiedLogin {
  readonly principal: Principal;
  readonly mark: ReadMark | undefined;
}

const WRONG_CREDENTIALS = 'wrong account name or password';
/** The client cannot distinguish the two errors. The audit log can. */
const unknownName = new AppError('unauthorized', WRONG_CREDENTIALS);
const wrongPassword = new AppError('unauthorized', WRONG_CREDENTIALS);
const tooManyAttempts = (retryAfterS: number) =>
  new AppError('too_many_failed_logins', `too many failed logins from this network; retry in ${retryAfterS} s`, {
    retryAfterS,
  });

interface AuthenticatorPorts {
  readonly store: Store;
  readonly hasher: PasswordHasher;
  readonly clock: TimerClock;
  readonly cache: LoginCache;
  readonly failedLoginsPerMinute: number;
  readonly recordRejectedLogin: (rejection: RejectedLogin) => void;
}

export class Authenticator {
  readonly #store: Store;
  readonly #hasher: PasswordHasher;
  readonly #clock: TimerClock;
  readonly #recordRejectedLogin: AuthenticatorPorts['recordRejectedLogin'];
  readonly #limiter: LoginRateLimiter;
  readonly #cache: LoginCache;
  readonly #trustedNetworks: TrustedNetworks;
  /** Concurrent requests with the same credentials share one hash. */
  readonly #pendingVerifications = new Map<string, Promise<VerifiedLogin | AppError>>();
  /** The last account cannot be removed, so this never becomes false again. */
  #hasAccounts = false;
  /** An unknown account is verified against this hash, so it takes as long as an existing account (timing attack). */
  readonly #dummyHash: string;

  private constructor(ports: AuthenticatorPorts, dummyHash: string) {
    this.#dummyHash = dummyHash;
    this.#store = ports.store;
    this.#hasher = ports.hasher;
    this.#clock = ports.clock;
    this.#recordRejectedLogin = ports.recordRejectedLogin;
    this.#limiter = new LoginRateLimiter(ports.failedLoginsPerMinute, ports.clock);
    this.#cache = ports.cache;
    this.#trustedNetworks = new TrustedNetworks(ports.store, ports.clock);
  }

  static async create(ports: AuthenticatorPorts): Promise<Authenticator> {
    const dummyHash = await ports.hasher.hash(new Secret(newId()));
    if (dummyHash instanceof AppError) throw new Error(dummyHash.detail);
    return new Authenticator(ports, dummyHash);
  }

  findCachedLogin(authorizationHeader: Secret, address: string): Principal | undefined {
    return this.#cache.findRecent('basic', authorizationHeader, address);
  }

  async authenticate(credentials: Credentials, address: string): Promise<Principal | AppError> {
    const isToken = credentials.name === TOKEN_ACCOUNT;
    const result = await (isToken
      ? this.#authenticateToken(credentials, address)
      : this.#authenticatePassword(credentials, address));
    // If the server is busy or has no accounts, the password was not checked.
    if (result instanceof AppError && result.code !== 'server_busy' && result !== STARTING) {
      const { name } = credentials;
      const account = (result === wrongPassword || isToken) && isRecordName(name) ? name : undefined;
      this.#recordRejectedLogin({ account, address, code: result.code });
    }
    return result;
  }

  /** Accepts logins of the last hour while the store is unavailable. */
  authenticateWithFallback(credentials: Credentials, address: string): Promise<Principal | AppError> {
    const ports = { cache: this.#cache, clock: this.#clock };
    return authenticateWithFallback(ports, credentials, address, () => this.authenticate(credentials, address));
  }

  async #authenticateToken({ name, password }: Credentials, address: string): Promise<Principal | AppError> {
    const principal = await findTokenPrincipal(this.#store, password);
    if (principal) return principal;
    const attempt = this.#limiter.consume(name, address);
    return 'waitS' in attempt ? tooManyAttempts(attempt.waitS) : wrongPassword;
  }

  async #authenticatePassword(
    { name, password, authorizationHeader }: Credentials,
    address: string,
  ): Promise<Principal | AppError> {
    this.#hasAccounts ||= !(await this.#store.reads.accounts.isEmpty());
    if (!this.#hasAccounts) return STARTING;
    // Must be checked before the cache, otherwise cached passwords could be guessed without a limit.
    const waitS = this.#limiter.waitS(name, address);
    if (waitS !== undefined) return tooManyAttempts(waitS);
    const cached = isRecordName(name) ? await this.#findCachedPassword(name, password) : undefined;
    const verified = cached ?? (await this.#verifyShared(name, password, address));
    if (verified instanceof AppError) return verified;
    const { principal, mark } = verified;
    await this.#recordNetwork(address);
    this.#limiter.recordSignIn(principal.account, address);
    if (authorizationHeader !== undefined && mark !== undefined)
      this.#cache.putRecent(authorizationHeader, address, principal, mark);
    return principal;
  }

  async #findCachedPassword(name: RecordName, password: Secret): Promise<VerifiedLogin | undefined> {
    const cached = this.#cache.findPassword(name, password);
    if (cached === undefined || cached.isFresh) return cached;
    const { principal } = cached;
    const mark = this.#cache.startRead('basic');
    const account = await this.#store.reads.accounts.get(name);
    if (account === undefined || account.revision !== principal.revision) {
      this.#cache.evictPassword(name);
      return undefined;
    }
    const isCurrent = this.#cache.revalidatePassword(name, account.revision, mark);
    return { principal, mark: isCurrent ? mark : undefined };
  }

  /** Only the request that starts a verification counts as an attempt. A request that shares it costs no hash. */
  async #verifyShared(name: string, password: Secret, address: string): Promise<VerifiedLogin | AppError> {
    const key = `${name} ${this.#cache.digest(password)}`;
    const pending = this.#pendingVerifications.get(key);
    if (pending) return pending;
    const attempt = this.#limiter.consume(name, address);
    if ('waitS' in attempt) {
      // Also reached from an address that signed in before, because `waitS` exempts it.
      this.#cache.evictGuessable(name);
      return tooManyAttempts(attempt.waitS);
    }
    const verification = this.#verify(name, password, address).finally(() => this.#pendingVerifications.delete(key));
    this.#pendingVerifications.set(key, verification);
    // Store outages and a busy server are not failed logins.
    let isWrong = false;
    try {
      const verified = await verification;
      isWrong = verified === unknownName || verified === wrongPassword;
      return verified;
    } finally {
      if (!isWrong) attempt.refund();
    }
  }

  async #verify(name: string, password: Secret, address: string): Promise<VerifiedLogin | AppError> {
    const mark = this.#cache.startRead('basic');
    const account = isRecordName(name) ? await this.#store.reads.accounts.get(name) : undefined;
    const caller = await this.#trustedNetworks.groupFor(address);
    const isCorrect = await this.#hasher.verify(account?.passwordHash ?? this.#dummyHash, password, caller);
    if (isCorrect instanceof AppError) return isCorrect;
    if (account === undefined) return unknownName;
    if (!isCorrect) return wrongPassword;
    const principal = { account: account.name, role: account.role, revision: account.revision };
    if (!this.#cache.isCurrent(mark))
      return (await this.#isUnchanged(account)) ? { principal, mark: undefined } : wrongPassword;
    this.#cache.putPassword(account, password, mark);
    return { principal, mark };
  }

  /** The login succeeds even if the network cannot be stored. */
  async #recordNetwork(address: string): Promise<void> {
    try {
      await this.#trustedNetworks.recordLogin(address);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  async #isUnchanged({ name, revision }: Account): Promise<boolean> {
    return (await this.#store.reads.accounts.get(name))?.revision === revision;
  }
}
