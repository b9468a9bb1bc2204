import { setImmediate as nextLoopIteration } from 'node:timers/promises';
import type { Clock } from './time/clock.ts';
import { systemClock } from './time/clock.ts';

export class Semaphore {
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #freePermits: number;

  constructor(permits: number, maxWaiting: number) {
    this.#freePermits = permits;
    this.#maxWaiting = maxWaiting;
  }

  /** Returns `undefined` if too many tasks wait. Less important tasks can pass a shorter `maxWaiting`. */
  tryRun<T>(task: () => Promise<T>, maxWaiting = this.#maxWaiting): Promise<T> | undefined {
    if (this.#freePermits === 0 && this.#waiting.length >= maxWaiting) return undefined;
    return this.run(task);
  }

  /** Runs the task even if more than the maximum number of tasks wait. */
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

/** Long enough for most bursts, and too short for a client to notice. */
const SLICE_MS = 5;

/** Limits CPU-bound work to a few milliseconds per iteration of the event loop. Without load nothing waits. */
export class CpuThrottle {
  readonly #sliceMs: number;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #waiting: (() => void)[] = [];
  #sliceStartMs: number | undefined;

  constructor(sliceMs = SLICE_MS, clock: Pick<Clock, 'monotonicMs'> = systemClock) {
    this.#sliceMs = sliceMs;
    this.#clock = clock;
  }

  /** Runs the callback now, or queues it and returns `true`. */
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

  /** `nextTick` runs after all microtasks, when the released work has finished its synchronous part. */
  #releaseNext(): void {
    if (this.#waiting.length === 0 || !this.#hasTime()) return;
    this.#waiting.shift()?.();
    queueMicrotask(() => process.nextTick(() => this.#releaseNext()));
  }
}

const ITEMS_PER_SLICE = 250;

/** Items that are added meanwhile are not visited. */
export async function forEachYielding<Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> {
  let visited = 0;
  for (const item of [...items]) {
    visit(item);
    visited += 1;
    if (visited % ITEMS_PER_SLICE === 0) await nextLoopIteration();
  }
}
