import type { AlarmClock } from '../lib/time/clock.ts';

/** Asked again so often, since others may not have heard, or have only just started. */
const ASK_EVERY_MS = 5000;
/** Somebody who was not heard of for so long has left. */
const WISH_LASTS_MS = 15_000;

/** Whether anybody reads hints, here or on another server. */
export class HintWishes {
  readonly #clock: AlarmClock;
  readonly #ask: (() => void) | undefined;
  #here = 0;
  /** `undefined`: nobody has asked for long, and the clock is not looked at. */
  #askedUntilMs: number | undefined;
  #cancel: (() => void) | undefined;

  /** `ask` tells other servers that somebody here reads hints; left out: there are none. */
  constructor(clock: AlarmClock, ask: (() => void) | undefined) {
    this.#clock = clock;
    this.#ask = ask;
  }

  get isWanted(): boolean {
    if (this.#here > 0) return true;
    if (this.#askedUntilMs === undefined) return false;
    if (this.#clock.monotonicMs() < this.#askedUntilMs) return true;
    this.#askedUntilMs = undefined;
    return false;
  }

  /** So many read hints here now. */
  setHere(readers: number): void {
    this.#here = readers;
    if (readers === 0) this.stop();
    else if (this.#cancel === undefined) this.#askOn();
  }

  /** Somebody has asked. */
  hear(): void {
    this.#askedUntilMs = this.#clock.monotonicMs() + WISH_LASTS_MS;
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #askOn(): void {
    if (this.#ask === undefined) return;
    this.#cancel = this.#clock.after(ASK_EVERY_MS, () => this.#askOn());
    this.#ask();
  }
}
