import type { Clock } from '../time/clock.ts';
import { systemClock } from '../time/clock.ts';

/** Long enough for most of what comes at once, and too short to be noticed by who waits. */
const A_FEW_MS = 5;

/**
 * Lets pieces of work through that keep the processor busy, for a few milliseconds in each turn of the event loop, in the order in
 * which they came: what else waits for the loop comes in between. Nobody waits when nobody is there.
 */
export class Turnstile {
  readonly #forMs: number;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #waiting: (() => void)[] = [];
  /** When this turn began; `undefined` before the first piece of a turn. */
  #begunMs: number | undefined;

  constructor(forMs = A_FEW_MS, clock: Pick<Clock, 'monotonicMs'> = systemClock) {
    this.#forMs = forMs;
    this.#clock = clock;
  }

  /** Runs the piece now or in its turn. Answers whether it has to wait. */
  pass(piece: () => void): boolean {
    if (this.#waiting.length > 0 || !this.#hasTime()) {
      this.#waiting.push(piece);
      return true;
    }
    piece();
    return false;
  }

  /** Returns `undefined` if the caller can continue now. Do not await `undefined`: other work would run first. */
  waitForTurn(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#hasTime()) return undefined;
    return new Promise(resolve => {
      this.#waiting.push(resolve);
    });
  }

  #hasTime(): boolean {
    if (this.#begunMs === undefined) {
      this.#begunMs = this.#clock.monotonicMs();
      setImmediate(() => this.#nextTurn());
    }
    return this.#clock.monotonicMs() - this.#begunMs < this.#forMs;
  }

  #nextTurn(): void {
    this.#begunMs = undefined;
    this.#letNextPass();
  }

  /** `nextTick` runs after all microtasks: the work that was released has ended its step then. */
  #letNextPass(): void {
    if (this.#waiting.length === 0 || !this.#hasTime()) return;
    this.#waiting.shift()?.();
    queueMicrotask(() => process.nextTick(() => this.#letNextPass()));
  }
}
