import type { Account } from '../../domain/accounts/account.ts';
import type { RecordName } from '../../domain/record-name.ts';
import type { Secret } from '../../domain/secret.ts';
import type { Role } from '../../domain/vocabulary.ts';
import { privateDigest } from '../../lib/private-digest.ts';
import type { Clock } from '../../lib/time/clock.ts';

const REMEMBERED_FOR_MS = 60_000;
/** How soon a change that another server made counts here. */
export const TRUSTED_FOR_MS = 1000;

interface Verified {
  readonly digest: string;
  readonly role: Role;
  readonly revision: string;
  readonly verifiedAtMs: number;
  checkedAtMs: number;
}

/** `fresh`: it counts. `stale`: it counts if the account still has this revision. */
export type Recalled =
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
export class RememberedLogins {
  readonly #clock: Clock;
  readonly #digest = privateDigest();
  readonly #logins = new Map<RecordName, Verified>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Tells passwords apart without keeping them. */
  digest(password: Secret): string {
    return this.#digest(password.reveal());
  }

  recall(name: RecordName, password: Secret): Recalled {
    const login = this.#logins.get(name);
    if (login === undefined) return { state: 'unknown' };
    const nowMs = this.#clock.monotonicMs();
    if (nowMs - login.verifiedAtMs > REMEMBERED_FOR_MS) {
      this.#logins.delete(name);
      return { state: 'unknown' };
    }
    // How long this takes tells how much of two digests agrees, which says nothing to anyone without the key.
    if (login.digest !== this.digest(password)) return { state: 'unknown' };
    const freshUntilMs = login.checkedAtMs + TRUSTED_FOR_MS;
    const state = nowMs < freshUntilMs ? 'fresh' : 'stale';
    return { state, role: login.role, revision: login.revision, freshUntilMs };
  }

  /** The account was read at that moment and had this revision. Answers until when that counts; `undefined` if another is remembered. */
  confirm(name: RecordName, revision: string, readAtMs: number): number | undefined {
    const login = this.#logins.get(name);
    if (login?.revision !== revision) return undefined;
    login.checkedAtMs = Math.max(login.checkedAtMs, readAtMs);
    return readAtMs + TRUSTED_FOR_MS;
  }

  /** `readAtMs` is when the account was read, on the monotonic clock: its password took a while to verify. */
  remember({ name, role, revision }: Account, password: Secret, readAtMs: number): void {
    this.#logins.set(name, {
      digest: this.digest(password),
      role,
      revision,
      verifiedAtMs: readAtMs,
      checkedAtMs: readAtMs,
    });
  }

  forget(name: RecordName): void {
    this.#logins.delete(name);
  }
}
