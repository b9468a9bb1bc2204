// Who calls with a session? It is looked up in the store, with its account, and then counts for a second without another look. What
// must hold: one that was ended here counts no more from that moment on, one that was ended elsewhere, or whose account was changed
// there, not beyond that second, and none beyond its own end. Secrets cannot be guessed, so nobody is counted who sends wrong ones.

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
  /** Apart from those who send passwords: what lets in as a cookie lets nobody in as another header. */
  readonly #credentialCache: CredentialCache;
  /** The number of changes. A session that was read before a change is not cached. */
  #generation = 0;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
    this.#credentialCache = new CredentialCache(clock);
  }

  /** What most calls are: the same that was let in a moment ago, from the same address. Anything else is for `find`. */
  findCachedLogin(secret: Secret, address: string): Principal | undefined {
    return this.#credentialCache.find(secret, address);
  }

  /** Whom a session lets in; `undefined`: nobody. */
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
    const confirmedMsAgo =
      session.confirmedAt === null ? undefined : nowMs - parseTimestamp(session.confirmedAt);
    // A clock that was set back makes no confirmation last longer.
    const isConfirmed =
      confirmedMsAgo !== undefined && confirmedMsAgo >= 0 && confirmedMsAgo < CONFIRMATION_TTL_MS;
    const principal: Principal = { account, role, revision, session: { id, expiresAtMs, isConfirmed } };
    if (generationBefore === this.#generation)
      this.#credentialCache.add(
        secret,
        address,
        principal,
        Math.min(expiresAtMs, readAtMs + REVALIDATE_AFTER_MS),
      );
    return principal;
  }

  /** Discards cached logins, because a session or an account has changed. */
  invalidate(): void {
    this.#generation += 1;
    this.#credentialCache.clear();
  }
}
