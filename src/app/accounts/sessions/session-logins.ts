// Who calls with a session? It is looked up in the store, with its account, and then counts for a second without another look. What
// must hold: one that was ended here counts no more from that moment on, one that was ended elsewhere, or whose account was changed
// there, not beyond that second, and none beyond its own end. Secrets cannot be guessed, so nobody is counted who sends wrong ones.

import { CONFIRMATION_TTL_MS, sessionDigest } from '../../../domain/accounts/login-session.ts';
import type { Secret } from '../../../domain/secret.ts';
import { parseTimestamp } from '../../../domain/timestamp.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Store } from '../../../store/store.ts';
import type { Login } from '../login.ts';
import { RecentCallers } from '../recent-callers.ts';
import { TRUSTED_FOR_MS } from '../remembered-logins.ts';

export class SessionLogins {
  readonly #store: Store;
  readonly #clock: Clock;
  /** Apart from those who send passwords: what lets in as a cookie lets nobody in as another header. */
  readonly #recent: RecentCallers;
  /** The number of changes. A session that was read before a change is not cached. */
  #changes = 0;

  constructor({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
    this.#store = store;
    this.#clock = clock;
    this.#recent = new RecentCallers(clock);
  }

  /** What most calls are: the same that was let in a moment ago, from the same address. Anything else is for `find`. */
  recent(secret: Secret, address: string): Login | undefined {
    return this.#recent.find(secret, address);
  }

  /** Whom a session lets in; `undefined`: nobody. */
  async find(secret: Secret, address: string): Promise<Login | undefined> {
    const [changesBefore, readAtMs] = [this.#changes, this.#clock.monotonicMs()];
    const { loginSessions } = this.#store.reads;
    const [session, nowMs] = await Promise.all([
      loginSessions.withDigest(sessionDigest(secret)),
      this.#store.reads.nowMs(),
    ]);
    if (session === undefined) return undefined;
    const leftMs = parseTimestamp(session.expiresAt) - nowMs;
    if (leftMs <= 0) return undefined;
    const { id, account, role, accountRevision: revision } = session;
    const expiresAtMs = readAtMs + leftMs;
    const confirmedMsAgo =
      session.confirmedAt === null ? undefined : nowMs - parseTimestamp(session.confirmedAt);
    // A clock that was set back makes no confirmation last longer.
    const isConfirmed =
      confirmedMsAgo !== undefined && confirmedMsAgo >= 0 && confirmedMsAgo < CONFIRMATION_TTL_MS;
    const login: Login = { account, role, revision, session: { id, expiresAtMs, isConfirmed } };
    if (changesBefore === this.#changes)
      this.#recent.add(secret, address, login, Math.min(expiresAtMs, readAtMs + TRUSTED_FOR_MS));
    return login;
  }

  /** Discards cached logins, because a session or an account has changed. */
  changed(): void {
    this.#changes += 1;
    this.#recent.clear();
  }
}
