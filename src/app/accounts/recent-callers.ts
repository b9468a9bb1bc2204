import type { Secret } from '../../domain/secret.ts';
import { privateDigest } from '../../lib/private-digest.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Login } from './login.ts';

/** So many are kept; then all are forgotten, and each is looked at in full once. */
const MAX_CALLERS = 10_000;

interface Caller {
  readonly login: Login;
  readonly untilMs: number;
}

/**
 * Who was let in a moment ago, by what was presented and from where: the next such call costs one digest and nothing else. What was
 * presented is not kept.
 */
export class RecentCallers {
  readonly #clock: Clock;
  readonly #digest = privateDigest();
  readonly #callers = new Map<string, Caller>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  #keyOf(presented: Secret, address: string): string {
    return this.#digest(`${address} ${presented.reveal()}`);
  }

  find(presented: Secret, address: string): Login | undefined {
    if (this.#callers.size === 0) return undefined;
    const caller = this.#callers.get(this.#keyOf(presented, address));
    return caller && this.#clock.monotonicMs() < caller.untilMs ? caller.login : undefined;
  }

  add(presented: Secret, address: string, login: Login, untilMs: number): void {
    if (this.#callers.size >= MAX_CALLERS) this.clear();
    this.#callers.set(this.#keyOf(presented, address), { login, untilMs });
  }

  clear(): void {
    this.#callers.clear();
  }
}
