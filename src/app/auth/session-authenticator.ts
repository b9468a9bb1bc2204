// Invariants: a session that ends on this server is rejected at once; a session that ends on another server, or whose
// account changes there, is rejected within one second; no session outlives its expiry. Session secrets cannot be
// guessed, so failed attempts are not limited.

import { CONFIRMATION_TTL_MS, sessionDigest } from '../../domain/accounts/login-session.ts';
import type { Secret } from '../../domain/secret.ts';
import { parseTimestamp } from '../../domain/timestamp.ts';
import type { Store } from '../../store/store.ts';
import type { LoginCache } from './login-cache.ts';
import type { Principal } from './principal.ts';

export class SessionAuthenticator {
  readonly #store: Store;
  readonly #cache: LoginCache;

  constructor({ store, cache }: { readonly store: Store; readonly cache: LoginCache }) {
    this.#store = store;
    this.#cache = cache;
  }

  findCachedLogin(secret: Secret, address: string): Principal | undefined {
    return this.#cache.findRecent('session', secret, address);
  }

  async authenticate(secret: Secret, address: string): Promise<Principal | undefined> {
    const mark = this.#cache.startRead('session');
    const { loginSessions } = this.#store.reads;
    const [session, nowMs] = await Promise.all([
      loginSessions.findByDigest(sessionDigest(secret)),
      this.#store.reads.nowMs(),
    ]);
    if (session === undefined) return undefined;
    const remainingMs = parseTimestamp(session.expiresAt) - nowMs;
    if (remainingMs <= 0) return undefined;
    const { id, account, role, accountRevision: revision } = session;
    const expiresAtMs = mark.atMs + remainingMs;
    const confirmedMsAgo = session.confirmedAt === null ? undefined : nowMs - parseTimestamp(session.confirmedAt);
    // Setting the clock back must not extend a confirmation.
    const isConfirmed = confirmedMsAgo !== undefined && confirmedMsAgo >= 0 && confirmedMsAgo < CONFIRMATION_TTL_MS;
    const principal: Principal = { account, role, revision, session: { id, expiresAtMs, isConfirmed } };
    this.#cache.putRecent(secret, address, principal, mark);
    return principal;
  }
}
