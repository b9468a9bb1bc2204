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
/** How soon a change that another server made counts here. */
export const REVALIDATE_AFTER_MS = 1000;

interface CachedPassword {
  readonly digest: string;
  readonly role: Role;
  readonly revision: string;
  readonly verifiedAtMs: number;
  checkedAtMs: number;
}

/** `fresh`: it counts. `stale`: it counts if the account still has this revision. */
export type CacheLookup =
  | {
      readonly state: 'fresh' | 'stale';
      readonly role: Role;
      readonly revision: string;
      readonly freshUntilMs: number;
    }
  | { readonly state: 'unknown' };

/**
 * Logins that were verified within the last minute, so that a call costs no hash. Passwords are kept as a keyed digest whose key
 * never leaves this process, and each is bound to the account's revision.
 */
export class PasswordCache {
  readonly #clock: Clock;
  readonly #digest = createPrivateDigest();
  readonly #entries = new Map<RecordName, CachedPassword>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Tells passwords apart without keeping them. */
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
    // How long this takes tells how much of two digests agrees, which says nothing to anyone without the key.
    if (entry.digest !== this.digest(password)) return { state: 'unknown' };
    const freshUntilMs = entry.checkedAtMs + REVALIDATE_AFTER_MS;
    const state = nowMs < freshUntilMs ? 'fresh' : 'stale';
    return { state, role: entry.role, revision: entry.revision, freshUntilMs };
  }

  /** The account was read at that moment and had this revision. Answers until when that counts; `undefined` if another is remembered. */
  revalidate(name: RecordName, revision: string, readAtMs: number): number | undefined {
    const entry = this.#entries.get(name);
    if (entry?.revision !== revision) return undefined;
    entry.checkedAtMs = Math.max(entry.checkedAtMs, readAtMs);
    return readAtMs + REVALIDATE_AFTER_MS;
  }

  /** `readAtMs` is when the account was read, on the monotonic clock: its password took a while to verify. */
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

/** So many are kept; then all are forgotten, and each is looked at in full once. */
const MAX_CREDENTIALS = 10_000;

interface CachedCredential {
  readonly principal: Principal;
  readonly expiresAtMs: number;
}

/**
 * Who was let in a moment ago, by what was presented and from where: the next such call costs one digest and nothing else. What was
 * presented is not kept.
 */
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

/** For so long after the store let somebody in. */
const STALE_TTL_MS = 3_600_000;
/** Whoever asks gives up after ten seconds, and has something else to wait for. */
const STORE_TIMEOUT_MS = 3000;
/** Programs that watch the service, not people: there are few. */
const MAX_STALE_LOGINS = 100;

interface StaleLogin {
  readonly digest: string;
  readonly principal: Principal;
  readonly expiresAtMs: number;
}

/**
 * Lets in by what the store said last, when it does not answer: for what tells how the service itself fares, and is wanted just then.
 * It counts for the same account, password and address. Nobody can guess at it: the first wrong password then has it forgotten.
 */
export class OutageLoginCache {
  readonly #clock: TimerClock;
  readonly #digest = createPrivateDigest();
  readonly #logins = new Map<string, StaleLogin>();
  /** Rises when all are forgotten, so that nothing is kept that was asked before. */
  #generation = 0;

  constructor(clock: TimerClock) {
    this.#clock = clock;
  }

  /** `ask` asks the store. */
  async authenticate(
    { name, password }: Credentials,
    address: string,
    verify: () => Promise<Principal | AppError>,
  ): Promise<Principal | AppError> {
    const key = `${address} ${name}`;
    const digest = this.#digest(password.reveal());
    const generationBefore = this.#generation;
    // What the store says counts from then on, also where it comes too late for this call.
    const verification = verify().then(result => {
      if (!(result instanceof AppError)) {
        if (generationBefore === this.#generation) this.#put(key, { digest, principal: result });
      } else if (result.code === 'unauthorized' && this.#logins.get(key)?.digest === digest)
        this.#logins.delete(key);
      return result;
    });
    return (await this.#withTimeout(verification)) ?? this.#findCached(key, digest) ?? verification;
  }

  /** `undefined`: the store does not answer. */
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
    // Back in at the end: the first is always the one that was not seen for longest.
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
