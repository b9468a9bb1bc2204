import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from './time/clock.ts';
import { systemClock } from './time/clock.ts';

/** Lets a fixed number of tasks run at once; the others wait in the order in which they came, a bounded number of them. */
export class Semaphore {
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #freePermits: number;

  constructor(permits: number, maxWaiting: number) {
    this.#freePermits = permits;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs the task in its turn; `undefined` when too many wait already. Tasks of less weight may ask for a shorter queue. */
  tryRun<T>(task: () => Promise<T>, maxWaiting = this.#maxWaiting): Promise<T> | undefined {
    if (this.#freePermits === 0 && this.#waiting.length >= maxWaiting) return undefined;
    return this.run(task);
  }

  /** Runs the task in its turn, however many wait. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#freePermits > 0) this.#freePermits -= 1;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#freePermits += 1;
    }
  }
}

/** Long enough for most of what comes at once, and too short to be noticed by who waits. */
const SLICE_MS = 5;

/**
 * Lets pieces of work through that keep the processor busy, for a few milliseconds in each turn of the event loop, in the order in
 * which they came: what else waits for the loop comes in between. Nobody waits when nobody is there.
 */
export class CpuThrottle {
  readonly #sliceMs: number;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #waiting: (() => void)[] = [];
  /** When this turn began; `undefined` before the first piece of a turn. */
  #sliceStartMs: number | undefined;

  constructor(sliceMs = SLICE_MS, clock: Pick<Clock, 'monotonicMs'> = systemClock) {
    this.#sliceMs = sliceMs;
    this.#clock = clock;
  }

  /** Runs the piece now or in its turn. Answers whether it has to wait. */
  run(callback: () => void): boolean {
    if (this.#waiting.length > 0 || !this.#hasTime()) {
      this.#waiting.push(callback);
      return true;
    }
    callback();
    return false;
  }

  /** Returns `undefined` if the caller can continue now. Do not await `undefined`: other work would run first. */
  waitForSlice(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#hasTime()) return undefined;
    return new Promise(resolve => {
      this.#waiting.push(resolve);
    });
  }

  #hasTime(): boolean {
    if (this.#sliceStartMs === undefined) {
      this.#sliceStartMs = this.#clock.monotonicMs();
      setImmediate(() => this.#startSlice());
    }
    return this.#clock.monotonicMs() - this.#sliceStartMs < this.#sliceMs;
  }

  #startSlice(): void {
    this.#sliceStartMs = undefined;
    this.#releaseNext();
  }

  /** `nextTick` runs after all microtasks: the work that was released has ended its step then. */
  #releaseNext(): void {
    if (this.#waiting.length === 0 || !this.#hasTime()) return;
    this.#waiting.shift()?.();
    queueMicrotask(() => process.nextTick(() => this.#releaseNext()));
  }
}

/** Given to so many before others have their turn. */
const ITEMS_PER_SLICE = 250;

/** Gives something to each of those who are there now; whatever else the process has to do comes in between. */
export async function forEachYielding<Item>(
  items: Iterable<Item>,
  visit: (item: Item) => void,
): Promise<void> {
  let visited = 0;
  for (const item of [...items]) {
    visit(item);
    visited += 1;
    if (visited % ITEMS_PER_SLICE === 0) await nextTurn();
  }
}
