// Who calls? Remembered logins answer in microseconds. Everyone else passes the limiter of guesses before any hash is computed,
// and then costs exactly one hash, whether the account exists or not. A network with too many failed logins is refused even what
// is remembered, unless the account signed in from there before. Enrolment tokens cannot be guessed and cost no hash: they are
// looked up each time, and whoever sends wrong ones is in nobody's way.

import type { Account } from '../../domain/accounts/account.ts';
import { AppError, StoreUnavailableError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import { isRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { newId } from '../../lib/new-id.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';
import type { RefusedLogin } from '../audit/refusals.ts';
import { TOKEN_ACCOUNT, tokenLogin } from '../tokens/token-login.ts';
import { GuessLimiter } from './guess-limiter.ts';
import { KnownNetworks } from './known-networks.ts';
import { LastingLogins } from './lasting-logins.ts';
import type { Credentials, Login } from './login.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { RecentCallers } from './recent-callers.ts';
import { RememberedLogins } from './remembered-logins.ts';
import { STARTING } from './starting.ts';

/** A login, and until when it counts without another look at the account; `undefined`: not at all. */
interface Verified {
  readonly login: Login;
  readonly freshUntilMs: number | undefined;
}

const WRONG = 'wrong account name or password';
/** Whoever guesses is not told which of the two it is; the log is. */
const wrongName = new AppError('unauthorized', WRONG);
const wrongPassword = new AppError('unauthorized', WRONG);
const tooManyFailures = (retryAfterS: number) =>
  new AppError(
    'too_many_failed_logins',
    `too many failed logins from this network; retry in ${retryAfterS} s`,
    {
      retryAfterS,
    },
  );

interface AuthenticatorPorts {
  readonly store: Store;
  readonly hasher: PasswordHasher;
  readonly clock: AlarmClock;
  readonly failedLoginsPerMinute: number;
  readonly loginRefused: (refused: RefusedLogin) => void;
}

export class Authenticator {
  readonly #store: Store;
  readonly #hasher: PasswordHasher;
  readonly #clock: AlarmClock;
  readonly #loginRefused: AuthenticatorPorts['loginRefused'];
  readonly #limiter: GuessLimiter;
  readonly #remembered: RememberedLogins;
  readonly #recent: RecentCallers;
  readonly #lasting: LastingLogins;
  readonly #networks: KnownNetworks;
  /** Verifications under way, so that many calls that start with the same credentials cost one hash. */
  readonly #underWay = new Map<string, Promise<Verified | AppError>>();
  /** The last account cannot be removed: once there is one, there always is. */
  #hasAccounts = false;
  /** Rises with every change of an account, so that a login verified against the state before is not remembered. */
  #changes = 0;
  /** What an unknown user's password is verified against, so that it costs a hash like any other. */
  readonly #nobodysHash: string;

  private constructor(ports: AuthenticatorPorts, nobodysHash: string) {
    this.#nobodysHash = nobodysHash;
    this.#store = ports.store;
    this.#hasher = ports.hasher;
    this.#clock = ports.clock;
    this.#loginRefused = ports.loginRefused;
    this.#limiter = new GuessLimiter(ports.failedLoginsPerMinute, ports.clock);
    this.#remembered = new RememberedLogins(ports.clock);
    this.#recent = new RecentCallers(ports.clock);
    this.#lasting = new LastingLogins(ports.clock);
    this.#networks = new KnownNetworks(ports.store, ports.clock);
  }

  static async create(ports: AuthenticatorPorts): Promise<Authenticator> {
    const nobodysHash = await ports.hasher.hash(new Secret(newId()));
    if (nobodysHash instanceof AppError) throw new Error(nobodysHash.detail);
    return new Authenticator(ports, nobodysHash);
  }

  /** An account has changed or is gone: that counts from now on. */
  accountChanged(name: RecordName): void {
    this.#changes += 1;
    this.#remembered.forget(name);
    this.#recent.clear();
    this.#lasting.clear();
  }

  /** What most calls are: the same that was let in a moment ago, from the same address. Anything else is for `authenticate`. */
  recentCaller(presented: Secret, address: string): Login | undefined {
    return this.#recent.find(presented, address);
  }

  async authenticate(credentials: Credentials, address: string): Promise<Login | AppError> {
    const isToken = credentials.name === TOKEN_ACCOUNT;
    const login = await (isToken
      ? this.#logInByToken(credentials, address)
      : this.#logIn(credentials, address));
    // Neither a busy service nor one without accounts has judged the password.
    if (login instanceof AppError && login.code !== 'server_busy' && login !== STARTING) {
      const { name } = credentials;
      const account = (login === wrongPassword || isToken) && isRecordName(name) ? name : undefined;
      this.#loginRefused({ account, address, code: login.code });
    }
    return login;
  }

  /** The same, but while the store does not answer what it said within the last hour counts. */
  authenticateLasting(credentials: Credentials, address: string): Promise<Login | AppError> {
    return this.#lasting.letIn(credentials, address, () => this.authenticate(credentials, address));
  }

  async #logInByToken({ name, password }: Credentials, address: string): Promise<Login | AppError> {
    const login = await tokenLogin(this.#store, password);
    if (login) return login;
    const attempt = this.#limiter.attempt(name, address);
    return 'waitS' in attempt ? tooManyFailures(attempt.waitS) : wrongPassword;
  }

  async #logIn({ name, password, presented }: Credentials, address: string): Promise<Login | AppError> {
    this.#hasAccounts ||= !(await this.#store.reads.accounts.isEmpty());
    if (!this.#hasAccounts) return STARTING;
    const changesBefore = this.#changes;
    // Before what is remembered is looked up, or that could be guessed without a limit.
    const waitS = this.#limiter.waitS(name, address);
    if (waitS !== undefined) return tooManyFailures(waitS);
    const recalled = isRecordName(name) ? await this.#recall(name, password) : undefined;
    const verified = recalled ?? (await this.#verifyOnce(name, password, address));
    if (verified instanceof AppError) return verified;
    const { login, freshUntilMs } = verified;
    await this.#noteNetwork(address);
    this.#limiter.noteSignIn(login.account, address);
    const mayHaveChanged = changesBefore !== this.#changes;
    if (presented !== undefined && freshUntilMs !== undefined && !mayHaveChanged)
      this.#recent.add(presented, address, login, freshUntilMs);
    return login;
  }

  async #recall(name: RecordName, password: Secret): Promise<Verified | undefined> {
    const recalled = this.#remembered.recall(name, password);
    if (recalled.state === 'unknown') return undefined;
    const login = { account: name, role: recalled.role, revision: recalled.revision };
    if (recalled.state === 'fresh') return { login, freshUntilMs: recalled.freshUntilMs };
    const [changesBefore, readAtMs] = [this.#changes, this.#clock.monotonicMs()];
    const account = await this.#store.reads.accounts.get(name);
    if (account?.revision !== recalled.revision) {
      this.#remembered.forget(name);
      return undefined;
    }
    return { login, freshUntilMs: this.#confirmed(account, changesBefore, readAtMs) };
  }

  /** Until when an account that was read at that moment counts without another look at it; not at all if it may have changed since. */
  #confirmed({ name, revision }: Account, changesBefore: number, readAtMs: number): number | undefined {
    if (changesBefore !== this.#changes) return undefined;
    return this.#remembered.confirm(name, revision, readAtMs);
  }

  /** Only who starts a verification is counted: whoever joins it costs no hash, and learns nothing that was not asked already. */
  async #verifyOnce(name: string, password: Secret, address: string): Promise<Verified | AppError> {
    const key = `${name} ${this.#remembered.digest(password)}`;
    const underWay = this.#underWay.get(key);
    if (underWay) return underWay;
    const attempt = this.#limiter.attempt(name, address);
    if ('waitS' in attempt) {
      // Beyond the limit there is nothing remembered to guess at, also from an address that once logged in.
      if (isRecordName(name)) this.#remembered.forget(name);
      this.#recent.clear();
      return tooManyFailures(attempt.waitS);
    }
    const verification = this.#verify(name, password, address).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, verification);
    // Neither a store that is away nor a service that is busy is a wrong guess.
    let isWrong = false;
    try {
      const verified = await verification;
      isWrong = verified === wrongName || verified === wrongPassword;
      return verified;
    } finally {
      if (!isWrong) attempt.giveBack();
    }
  }

  async #verify(name: string, password: Secret, address: string): Promise<Verified | AppError> {
    const changesBefore = this.#changes;
    const readAtMs = this.#clock.monotonicMs();
    const account = isRecordName(name) ? await this.#store.reads.accounts.get(name) : undefined;
    const caller = await this.#networks.groupOf(address);
    const isRight = await this.#hasher.verify(account?.passwordHash ?? this.#nobodysHash, password, caller);
    if (isRight instanceof AppError) return isRight;
    if (account === undefined) return wrongName;
    if (!isRight) return wrongPassword;
    const login = { account: account.name, role: account.role, revision: account.revision };
    if (changesBefore !== this.#changes)
      return (await this.#isUnchanged(account)) ? { login, freshUntilMs: undefined } : wrongPassword;
    this.#remembered.remember(account, password, readAtMs);
    return { login, freshUntilMs: this.#confirmed(account, changesBefore, readAtMs) };
  }

  /** A login does not fail because the network could not be stored. */
  async #noteNetwork(address: string): Promise<void> {
    try {
      await this.#networks.add(address);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  async #isUnchanged({ name, revision }: Account): Promise<boolean> {
    return (await this.#store.reads.accounts.get(name))?.revision === revision;
  }
}
