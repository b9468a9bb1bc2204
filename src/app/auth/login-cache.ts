import type { Account } from '../../domain/accounts/account.ts';
import { AppError, StoreUnavailableError } from '../../domain/errors.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { createPrivateDigest } from '../../lib/random.ts';
import type { Clock, TimerClock } from '../../lib/time/clock.ts';
import { waitUpTo } from '../../lib/time/clock.ts';
import type { Credentials, Principal } from './principal.ts';

const PASSWORD_TTL_MS = 60_000;
/** Account changes by another server apply within this time. */
export const REVALIDATE_AFTER_MS = 1000;

interface CachedPassword {
  readonly digest: string;
  readonly role: Role;
  readonly revision: string;
  readonly verifiedAtMs: number;
  checkedAtMs: number;
}

/** A `stale` entry is valid if the account still has this revision. */
export type CacheLookup =
  | {
      readonly state: 'fresh' | 'stale';
      readonly role: Role;
      readonly revision: string;
      readonly freshUntilMs: number;
    }
  | { readonly state: 'unknown' };

/**
 * Passwords verified within the last minute, so a request costs no hash. Passwords are stored as keyed digests; the key
 * never leaves the process. Each entry is bound to the revision of the account.
 */
export class PasswordCache {
  readonly #clock: Clock;
  readonly #digest = createPrivateDigest();
  readonly #entries = new Map<RecordName, CachedPassword>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  digest(password: Secret): string {
    return this.#digest(password.reveal());
  }

  lookup(name: RecordName, password: Secret): CacheLookup {
    const entry = this.#entries.get(name);
    if (entry === undefined) return { state: 'unknown' };
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - entry.verifiedAtMs > PASSWORD_TTL_MS) {
      this.#entries.delete(name);
      return { state: 'unknown' };
    }
    // Not constant-time: the timing reveals only how far two digests match, which is useless without the key.
    if (entry.digest !== this.digest(password)) return { state: 'unknown' };
    const freshUntilMs = entry.checkedAtMs + REVALIDATE_AFTER_MS;
    const state = nowMs < freshUntilMs ? 'fresh' : 'stale';
    return { state, role: entry.role, revision: entry.revision, freshUntilMs };
  }

  /** Returns undefined if the cached revision differs. */
  revalidate(name: RecordName, revision: string, readAtMs: number): number | undefined {
    const entry = this.#entries.get(name);
    if (entry?.revision !== revision) return undefined;
    entry.checkedAtMs = Math.max(entry.checkedAtMs, readAtMs);
    return readAtMs + REVALIDATE_AFTER_MS;
  }

  /** `readAtMs` is the monotonic time at which the account was read. The password check that follows takes a while. */
  put({ name, role, revision }: Account, password: Secret, readAtMs: number): void {
    this.#entries.set(name, {
      digest: this.digest(password),
      role,
      revision,
      verifiedAtMs: readAtMs,
      checkedAtMs: readAtMs,
    });
  }

  evict(name: RecordName): void {
    this.#entries.delete(name);
  }
}

/** When the cache is full, it is cleared. */
const MAX_CREDENTIALS = 10_000;

interface CachedCredential {
  readonly principal: Principal;
  readonly expiresAtMs: number;
}

/** Recent logins by credential and address. A cached login costs one digest. The credential itself is not stored. */
export class CredentialCache {
  readonly #clock: Clock;
  readonly #digest = createPrivateDigest();
  readonly #entries = new Map<string, CachedCredential>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  #keyFor(secret: Secret, address: string): string {
    return this.#digest(`${address} ${secret.reveal()}`);
  }

  find(secret: Secret, address: string): Principal | undefined {
    if (this.#entries.size === 0) return undefined;
    const entry = this.#entries.get(this.#keyFor(secret, address));
    return entry && this.#clock.monotonicMs() < entry.expiresAtMs ? entry.principal : undefined;
  }

  add(secret: Secret, address: string, principal: Principal, expiresAtMs: number): void {
    if (this.#entries.size >= MAX_CREDENTIALS) this.clear();
    this.#entries.set(this.#keyFor(secret, address), { principal, expiresAtMs });
  }

  clear(): void {
    this.#entries.clear();
  }
}

const STALE_TTL_MS = 3_600_000;
/** Monitoring clients time out after about ten seconds. */
const STORE_TIMEOUT_MS = 3000;
/** Only monitoring programs use these routes, so there are few. */
const MAX_STALE_LOGINS = 100;

interface StaleLogin {
  readonly digest: string;
  readonly principal: Principal;
  readonly expiresAtMs: number;
}

/**
 * Authenticates with the last result of the store while the store is unavailable, for routes that report the state of
 * the server. An entry is valid for the same account, password and address. The first wrong password during an outage
 * removes it, so it cannot be used for guessing.
 */
export class OutageLoginCache {
  readonly #clock: TimerClock;
  readonly #digest = createPrivateDigest();
  readonly #logins = new Map<string, StaleLogin>();
  /** Increases when the cache is cleared, so an earlier result is not added afterwards. */
  #generation = 0;

  constructor(clock: TimerClock) {
    this.#clock = clock;
  }

  /** `verify` reads the store. */
  async authenticate(
    { name, password }: Credentials,
    address: string,
    verify: () => Promise<Principal | AppError>,
  ): Promise<Principal | AppError> {
    const key = `${address} ${name}`;
    const digest = this.#digest(password.reveal());
    const generationBefore = this.#generation;
    // The result updates the cache even if it arrives after the timeout.
    const verification = verify().then(result => {
      if (!(result instanceof AppError)) {
        if (generationBefore === this.#generation) this.#put(key, { digest, principal: result });
      } else if (result.code === 'unauthorized' && this.#logins.get(key)?.digest === digest) this.#logins.delete(key);
      return result;
    });
    return (await this.#withTimeout(verification)) ?? this.#findCached(key, digest) ?? verification;
  }

  /** Returns undefined if the store does not respond in time or is unavailable. */
  async #withTimeout(verification: Promise<Principal | AppError>): Promise<Principal | AppError | undefined> {
    try {
      return await waitUpTo(this.#clock, STORE_TIMEOUT_MS, () => verification);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return undefined;
      throw error;
    }
  }

  #findCached(key: string, digest: string): Principal | undefined {
    const cached = this.#logins.get(key);
    if (cached?.digest === digest && this.#clock.monotonicMs() < cached.expiresAtMs) return cached.principal;
    this.#logins.delete(key);
    return undefined;
  }

  #put(key: string, { digest, principal }: Pick<StaleLogin, 'digest' | 'principal'>): void {
    // Reinserting keeps the least recently used entry first.
    this.#logins.delete(key);
    this.#logins.set(key, { digest, principal, expiresAtMs: this.#clock.monotonicMs() + STALE_TTL_MS });
    const [oldest] = this.#logins.keys();
    if (this.#logins.size > MAX_STALE_LOGINS && oldest !== undefined) this.#logins.delete(oldest);
  }

  clear(): void {
    this.#generation += 1;
    this.#logins.clear();
  }
}
