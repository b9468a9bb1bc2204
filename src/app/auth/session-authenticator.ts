// Authenticates dashboard sessions. A session is read from the store together with its account and then cached for one
// second.
// Invariants:
// - A session that ends on this server is rejected at once.
// - A session that ends on another server, or whose account changes there, is rejected within one second.
// - No session outlives its expiry.
// Session secrets cannot be guessed, so failed attempts are not limited.

import { CONFIRMATION_TTL_MS, sessionDigest } from '../../domain/accounts/login-session.ts';
import type { Secret } from '../../domain/secret.ts';
import { parseTimestamp } from '../../domain/timestamp.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Store } from '../../store/store.ts';
import { CredentialCache, REVALIDATE_AFTER_MS } from './login-cache.ts';
import type { Principal } from './principal.ts';

export class SessionAuthenticator {
  readonly #store: Store;
  readonly #clock: Clock;
  /** Separate from the cache for passwords: a session secret must not be accepted in an Authorization header. */
  readonly #credentialCache: CredentialCache;
  /** Number of changes. A session that was read before a change is not cached. */
  #generation = 0;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
    this.#credentialCache = new CredentialCache(clock);
  }

  /** The common case: the same session from the same address as shortly before. Other requests use `authenticate`. */
  findCachedLogin(secret: Secret, address: string): Principal | undefined {
    return this.#credentialCache.find(secret, address);
  }

  async authenticate(secret: Secret, address: string): Promise<Principal | undefined> {
    const [generationBefore, readAtMs] = [this.#generation, this.#clock.monotonicMs()];
    const { loginSessions } = this.#store.reads;
    const [session, nowMs] = await Promise.all([
      loginSessions.findByDigest(sessionDigest(secret)),
      this.#store.reads.nowMs(),
    ]);
    if (session === undefined) return undefined;
    const remainingMs = parseTimestamp(session.expiresAt) - nowMs;
    if (remainingMs <= 0) return undefined;
    const { id, account, role, accountRevision: revision } = session;
    const expiresAtMs = readAtMs + remainingMs;
    const confirmedMsAgo = session.confirmedAt === null ? undefined : nowMs - parseTimestamp(session.confirmedAt);
    // Setting the clock back must not extend a confirmation.
    const isConfirmed = confirmedMsAgo !== undefined && confirmedMsAgo >= 0 && confirmedMsAgo < CONFIRMATION_TTL_MS;
    const principal: Principal = { account, role, revision, session: { id, expiresAtMs, isConfirmed } };
    if (generationBefore === this.#generation)
      this.#credentialCache.add(secret, address, principal, Math.min(expiresAtMs, readAtMs + REVALIDATE_AFTER_MS));
    return principal;
  }

  /** Called after a session or an account has changed. */
  invalidate(): void {
    this.#generation += 1;
    this.#credentialCache.clear();
  }
}
