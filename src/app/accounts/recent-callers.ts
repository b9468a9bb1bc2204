import { hash, randomBytes } from 'node:crypto';
import type { Secret } from '../../domain/secret.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Login } from './authenticate.ts';

/** More callers than this in a second are looked at in full. */
const MAX_CALLERS = 10_000;

interface Caller {
  readonly login: Login;
  readonly untilMs: number;
}

/**
 * Who was let in a moment ago, by what was presented and from where: the next such call costs one digest and nothing else. What is
 * presented is kept as a keyed digest, whose key never leaves this process.
 */
export class RecentCallers {
  readonly #clock: Clock;
  readonly #key = randomBytes(32).toString('hex');
  readonly #callers = new Map<string, Caller>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  #digest(presented: Secret, address: string): string {
    return hash('sha256', `${this.#key}${address} ${presented.reveal()}`, 'hex');
  }

  find(presented: Secret, address: string): Login | undefined {
    if (this.#callers.size === 0) return undefined;
    const caller = this.#callers.get(this.#digest(presented, address));
    return caller && this.#clock.monotonicMs() < caller.untilMs ? caller.login : undefined;
  }

  add(presented: Secret, address: string, login: Login, untilMs: number): void {
    if (this.#callers.size >= MAX_CALLERS) this.clear();
    this.#callers.set(this.#digest(presented, address), { login, untilMs });
  }

  clear(): void {
    this.#callers.clear();
  }
}
