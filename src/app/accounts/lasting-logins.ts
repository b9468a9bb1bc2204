import { AppError, StoreUnavailableError } from '../../domain/errors.ts';
import { privateDigest } from '../../lib/private-digest.ts';
import type { AlarmClock } from '../../lib/time/clock.ts';
import { within } from '../../lib/time/sleep.ts';
import type { Credentials, Login } from './login.ts';

/** For so long after the store let somebody in. */
const LASTS_MS = 3_600_000;
/** Whoever asks gives up after ten seconds, and has something else to wait for. */
const STORE_WITHIN_MS = 3000;
/** Programs that watch the service, not people: there are few. */
const MAX_KEPT = 100;

interface Kept {
  readonly digest: string;
  readonly login: Login;
  readonly untilMs: number;
}

/**
 * Lets in by what the store said last, when it does not answer: for what tells how the service itself fares, and is wanted just then.
 * It counts for the same account, password and address. Nobody can guess at it: the first wrong password then has it forgotten.
 */
export class LastingLogins {
  readonly #clock: AlarmClock;
  readonly #digest = privateDigest();
  readonly #kept = new Map<string, Kept>();
  /** Rises when all are forgotten, so that nothing is kept that was asked before. */
  #clears = 0;

  constructor(clock: AlarmClock) {
    this.#clock = clock;
  }

  /** `ask` asks the store. */
  async letIn(
    { name, password }: Credentials,
    address: string,
    ask: () => Promise<Login | AppError>,
  ): Promise<Login | AppError> {
    const key = `${address} ${name}`;
    const digest = this.#digest(password.reveal());
    const clearsBefore = this.#clears;
    // What the store says counts from then on, also where it comes too late for this call.
    const asked = ask().then(found => {
      if (!(found instanceof AppError)) {
        if (clearsBefore === this.#clears) this.#keep(key, { digest, login: found });
      } else if (found.code === 'unauthorized' && this.#kept.get(key)?.digest === digest)
        this.#kept.delete(key);
      return found;
    });
    return (await this.#inTime(asked)) ?? this.#recall(key, digest) ?? asked;
  }

  /** `undefined`: the store does not answer. */
  async #inTime(asked: Promise<Login | AppError>): Promise<Login | AppError | undefined> {
    try {
      return await within(this.#clock, STORE_WITHIN_MS, () => asked);
    } catch (error) {
      if (error instanceof StoreUnavailableError) return undefined;
      throw error;
    }
  }

  #recall(key: string, digest: string): Login | undefined {
    const kept = this.#kept.get(key);
    if (kept?.digest === digest && this.#clock.monotonicMs() < kept.untilMs) return kept.login;
    this.#kept.delete(key);
    return undefined;
  }

  #keep(key: string, { digest, login }: Pick<Kept, 'digest' | 'login'>): void {
    // Back in at the end: the first is always the one that was not seen for longest.
    this.#kept.delete(key);
    this.#kept.set(key, { digest, login, untilMs: this.#clock.monotonicMs() + LASTS_MS });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  clear(): void {
    this.#clears += 1;
    this.#kept.clear();
  }
}
