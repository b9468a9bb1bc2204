import { setTimeout as delay } from 'node:timers/promises';
import { LostConnection } from './failures.ts';

/** A PostgreSQL that is restarted is back sooner than this, and callers do not notice. */
const BRIDGED_MS = 2500;
const LONGEST_PAUSE_MS = 250;
/** For one that answers others and never this. */
const MAX_ATTEMPTS = 20;

/**
 * For how long nothing has come through to PostgreSQL, as all connections of this server show. A short outage is bridged: what has
 * lost its connection is tried again. In a long one nobody waits for more than one try.
 */
export class Outage {
  readonly #monotonicMs: () => number;
  #sinceMs: number | undefined;

  constructor(monotonicMs = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** Something came through. */
  end(): void {
    this.#sinceMs = undefined;
  }

  /** Whether what failed is worth another try; if so, once a moment has passed. */
  async passes(error: unknown, attempt: number): Promise<boolean> {
    if (!(error instanceof LostConnection)) return false;
    const nowMs = this.#monotonicMs();
    this.#sinceMs ??= nowMs;
    if (nowMs - this.#sinceMs > BRIDGED_MS || attempt >= MAX_ATTEMPTS) return false;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, 10 * 2 ** attempt);
    // At least half of it: all attempts together are to last as long as an outage is bridged.
    await delay(pauseMs * (0.5 + Math.random() / 2));
    return true;
  }

  /** Asks until there is an answer. For what may be asked twice. */
  async bridge<T>(ask: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await ask();
      } catch (error) {
        if (!(await this.passes(error, attempt))) throw error;
      }
    }
  }
}
