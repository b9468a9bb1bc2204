import type { Account } from '../../domain/accounts/account.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import { LruMap } from '../../lib/lru-map.ts';
import { createPrivateDigest } from '../../lib/random.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Credentials, Principal } from './principal.ts';

/** Account changes by another server apply within this time. */
const FRESH_MS = 1000;
const PASSWORD_TTL_MS = 60_000;
const STALE_TTL_MS = 3_600_000;
const MAX_LOGINS = 10_000;
/** Few clients, such as monitoring, use the routes that accept stale logins. */
const MAX_STALE_LOGINS = 100;

/** An Authorization header, or the secret of a cookie. */
type LoginKind = 'basic' | 'session';

/** Taken before the store is read. A login that was read before a change is not cached after it. */
export interface ReadMark {
  readonly kind: LoginKind;
  readonly generation: number;
  readonly atMs: number;
}

/** `checkedAtMs`: when the store was last read for the login, on the monotonic clock. */
interface CachedLogin {
  readonly principal: Principal;
  readonly checkedAtMs: number;
}

interface StaleLogin extends CachedLogin {
  readonly digest: string;
}

interface CachedPassword extends StaleLogin {
  readonly verifiedAtMs: number;
}

/** A password that is not fresh is valid if the account still has the revision of the principal. */
interface PasswordLookup {
  readonly isFresh: boolean;
  readonly principal: Principal;
  readonly mark: ReadMark;
}

/**
 * Secrets are stored as keyed digests; the key never leaves the process. Three levels:
 * - Recent logins, by kind, address and secret: accepted without I/O for one second.
 * - Passwords, by account: accepted from any address for one minute without a hash, if the revision is unchanged.
 * - Stale logins, by address and account: accepted for one hour while the store is unavailable. The first wrong
 *   password removes the entry, so it cannot be used for guessing.
 */
export class LoginCache {
  readonly #clock: Clock;
  readonly #digest = createPrivateDigest();
  /** Per kind, so a session change or too many failed logins clear one kind only. */
  readonly #recent = {
    basic: new LruMap<string, CachedLogin>(MAX_LOGINS),
    session: new LruMap<string, CachedLogin>(MAX_LOGINS),
  };
  readonly #passwords = new LruMap<string, CachedPassword>(MAX_LOGINS);
  readonly #stale = new LruMap<string, StaleLogin>(MAX_STALE_LOGINS);
  /**
   * A session change does not count for passwords, otherwise a client that signs in repeatedly could keep the passwords
   * of all accounts out of the cache.
   */
  readonly #generations = { basic: 0, session: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  startRead(kind: LoginKind): ReadMark {
    return { kind, generation: this.#generations[kind], atMs: this.#clock.monotonicMs() };
  }

  isCurrent({ kind, generation }: ReadMark): boolean {
    return generation === this.#generations[kind];
  }

  digest(password: Secret): string {
    return this.#digest(password.reveal());
  }

  #recentKey(kind: LoginKind, secret: Secret, address: string): string {
    return this.#digest(`${kind} ${address} ${secret.reveal()}`);
  }

  #isFresh({ checkedAtMs, principal: { session } }: CachedLogin): boolean {
    const nowMs = this.#clock.monotonicMs();
    return nowMs < checkedAtMs + FRESH_MS && (session === undefined || nowMs < session.expiresAtMs);
  }

  findRecent(kind: LoginKind, secret: Secret, address: string): Principal | undefined {
    const logins = this.#recent[kind];
    if (logins.size === 0) return undefined;
    const login = logins.get(this.#recentKey(kind, secret, address));
    return login && this.#isFresh(login) ? login.principal : undefined;
  }

  putRecent(secret: Secret, address: string, principal: Principal, mark: ReadMark): void {
    if (!this.isCurrent(mark)) return;
    const key = this.#recentKey(mark.kind, secret, address);
    this.#recent[mark.kind].set(key, { principal, checkedAtMs: mark.atMs });
  }

  findPassword(name: RecordName, password: Secret): PasswordLookup | undefined {
    const cached = this.#passwords.get(name);
    if (cached === undefined) return undefined;
    if (this.#clock.monotonicMs() - cached.verifiedAtMs > PASSWORD_TTL_MS) {
      this.#passwords.delete(name);
      return undefined;
    }
    // Not constant-time: the timing reveals only how far two digests match, which is useless without the key.
    if (cached.digest !== this.digest(password)) return undefined;
    const mark = { ...this.startRead('basic'), atMs: cached.checkedAtMs };
    return { isFresh: this.#isFresh(cached), principal: cached.principal, mark };
  }

  revalidatePassword(name: RecordName, revision: string, mark: ReadMark): boolean {
    const cached = this.#passwords.get(name);
    if (cached?.principal.revision !== revision || !this.isCurrent(mark)) return false;
    this.#passwords.set(name, { ...cached, checkedAtMs: Math.max(cached.checkedAtMs, mark.atMs) });
    return true;
  }

  putPassword({ name, role, revision }: Account, password: Secret, mark: ReadMark): void {
    if (!this.isCurrent(mark)) return;
    const principal = { account: name, role, revision };
    const digest = this.digest(password);
    this.#passwords.set(name, { principal, digest, verifiedAtMs: mark.atMs, checkedAtMs: mark.atMs });
  }

  evictPassword(name: string): void {
    this.#passwords.delete(name);
  }

  /** Removes the entry if the password is wrong. */
  findStale({ name, password }: Credentials, address: string): Principal | undefined {
    const key = `${address} ${name}`;
    const login = this.#stale.get(key);
    const isExpired = login && this.#clock.monotonicMs() >= login.checkedAtMs + STALE_TTL_MS;
    if (login?.digest === this.digest(password) && !isExpired) return login.principal;
    this.#stale.delete(key);
    return undefined;
  }

  putStale({ name, password }: Credentials, address: string, principal: Principal, mark: ReadMark): void {
    if (!this.isCurrent(mark)) return;
    const digest = this.digest(password);
    this.#stale.set(`${address} ${name}`, { principal, digest, checkedAtMs: mark.atMs });
  }

  /** Another password of the account stays cached. */
  evictStale({ name, password }: Credentials, address: string): void {
    const key = `${address} ${name}`;
    if (this.#stale.get(key)?.digest === this.digest(password)) this.#stale.delete(key);
  }

  /** Beyond the limit of failed logins, cached logins must not allow further guesses. */
  evictGuessable(name: string): void {
    this.evictPassword(name);
    this.#recent.basic.clear();
  }

  invalidateAccount(name: RecordName): void {
    this.#generations.basic += 1;
    this.evictGuessable(name);
    this.#stale.clear();
    this.invalidateSessions();
  }

  invalidateSessions(): void {
    this.#generations.session += 1;
    this.#recent.session.clear();
  }
}
