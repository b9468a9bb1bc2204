import type { TimerClock } from '../../../src/lib/time/clock.ts';

interface Timer {
  readonly atMs: number;
  /** Timers with the same time fire in the order in which they were set. */
  readonly order: number;
  callback: (() => void) | undefined;
}

const isBefore = (a: Timer, b: Timer) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

export class TimerQueue {
  #heap: Timer[] = [];
  #cancelledCount = 0;
  #order = 0;

  get size(): number {
    return this.#heap.length - this.#cancelledCount;
  }

  add(atMs: number, callback: () => void): () => void {
    this.#order += 1;
    const timer: Timer = { atMs, order: this.#order, callback };
    this.#heap.push(timer);
    this.#siftUp(this.#heap.length - 1);
    return () => this.#cancel(timer);
  }

  get nextAtMs(): number | undefined {
    while (this.#heap[0] !== undefined && this.#heap[0].callback === undefined) {
      this.#takeFirst();
      this.#cancelledCount -= 1;
    }
    return this.#heap[0]?.atMs;
  }

  takeDue(byMs: number): (() => void) | undefined {
    const atMs = this.nextAtMs;
    if (atMs === undefined || atMs > byMs) return undefined;
    const timer = this.#takeFirst();
    const callback = timer?.callback;
    // A later cancellation must not be counted.
    if (timer) timer.callback = undefined;
    return callback;
  }

  #cancel(timer: Timer): void {
    if (timer.callback === undefined) return;
    timer.callback = undefined;
    this.#cancelledCount += 1;
    // Most timeouts are cancelled long before they are due and must not accumulate. A sorted array is a valid heap.
    if (this.#cancelledCount > 64 && this.#cancelledCount > this.#heap.length / 2) {
      this.#heap = this.#heap.filter(({ callback }) => callback).sort((a, b) => (isBefore(a, b) ? -1 : 1));
      this.#cancelledCount = 0;
    }
  }

  #takeFirst(): Timer | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) {
      this.#heap[0] = last;
      this.#siftDown();
    }
    return first;
  }

  #siftUp(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      const [above, below] = [heap[parent], heap[at]];
      if (above === undefined || below === undefined || isBefore(above, below)) return;
      [heap[parent], heap[at]] = [below, above];
      at = parent;
    }
  }

  #siftDown(): void {
    const heap = this.#heap;
    for (let at = 0; ; ) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      const above = heap[at];
      if (above === undefined || left === undefined) return;
      const isRight = right !== undefined && isBefore(right, left);
      const below = isRight ? right : left;
      if (isBefore(above, below)) return;
      const child = 2 * at + (isRight ? 2 : 1);
      [heap[at], heap[child]] = [below, above];
      at = child;
    }
  }
}

/** The clock assumes that the process is idle after this many iterations of the event loop without a new timer. */
const IDLE_ITERATIONS = 3;

const nextLoopIteration = () => new Promise<void>(resolve => setImmediate(resolve));
const formatSeconds = (ms: number) => `${ms / 1000} s`;

interface VirtualClockOptions {
  /** Milliseconds since 1970. Default: the start of 2030. */
  readonly startMs?: number;
  /** False while something runs outside this process, such as a database query. */
  readonly isIdle?: () => boolean;
  /** Called while `isIdle` returns false. Default: the next iteration of the event loop. */
  readonly untilProgress?: () => Promise<unknown>;
}

export class VirtualClock implements TimerClock {
  readonly #startMs: number;
  readonly #isIdle: () => boolean;
  readonly #untilProgress: () => Promise<unknown>;
  readonly #timers = new TimerQueue();
  #passedMs = 0;
  #setBackMs = 0;
  #timersSet = 0;
  #isAdvancing = false;

  constructor({
    startMs = Date.UTC(2030, 0, 1),
    isIdle = () => true,
    untilProgress = nextLoopIteration,
  }: VirtualClockOptions = {}) {
    this.#startMs = startMs;
    this.#isIdle = isIdle;
    this.#untilProgress = untilProgress;
  }

  now(): number {
    return this.#startMs + this.#passedMs - this.#setBackMs;
  }

  /** Sets back `now()`. The monotonic time does not change. */
  setWallClockBack(ms: number): void {
    this.#setBackMs += ms;
  }

  monotonicMs(): number {
    return this.#passedMs;
  }

  setTimer(ms: number, callback: () => void): () => void {
    this.#timersSet += 1;
    return this.#timers.add(this.#passedMs + Math.max(0, ms), callback);
  }

  get pending(): number {
    return this.#timers.size;
  }

  async advance(ms: number): Promise<void> {
    await this.#runExclusively(async () => {
      const untilMs = this.#passedMs + ms;
      await this.#runUntilIdle();
      for (let atMs = this.#timers.nextAtMs; atMs !== undefined && atMs <= untilMs; ) {
        await this.#step(atMs);
        atMs = this.#timers.nextAtMs;
      }
      this.#passedMs = untilMs;
    });
  }

  async advanceUntil(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
    await this.#runExclusively(async () => {
      const [startMs, untilMs] = [this.#passedMs, this.#passedMs + withinMs];
      await this.#runUntilIdle();
      while (!(await condition())) {
        const atMs = this.#timers.nextAtMs;
        const passed = formatSeconds(this.#passedMs - startMs);
        if (atMs === undefined) throw new Error(`no timer is pending after ${passed}: ${condition}`);
        if (atMs > untilMs) {
          this.#passedMs = untilMs;
          throw new Error(`the condition was not true within ${formatSeconds(withinMs)} of virtual time: ${condition}`);
        }
        await this.#step(atMs);
      }
    });
  }

  async advanceUntilSettled<Result>(promise: Promise<Result>, withinMs: number): Promise<Result> {
    let isSettled = false;
    const markSettled = () => {
      isSettled = true;
    };
    promise.then(markSettled, markSettled);
    await this.advanceUntil(() => isSettled, withinMs);
    return promise;
  }

  async #step(atMs: number): Promise<void> {
    this.#passedMs = Math.max(this.#passedMs, atMs);
    for (let due = this.#timers.takeDue(atMs); due !== undefined; due = this.#timers.takeDue(atMs)) due();
    await this.#runUntilIdle();
  }

  async #runUntilIdle(): Promise<void> {
    for (let idleIterations = 0; idleIterations < IDLE_ITERATIONS; ) {
      const timersBefore = this.#timersSet;
      await nextLoopIteration();
      const isIdle = this.#isIdle();
      idleIterations = timersBefore === this.#timersSet && isIdle ? idleIterations + 1 : 0;
      if (!isIdle) await this.#untilProgress();
    }
  }

  async #runExclusively(run: () => Promise<void>): Promise<void> {
    if (this.#isAdvancing) throw new Error('the clock is already advancing');
    this.#isAdvancing = true;
    try {
      await run();
    } finally {
      this.#isAdvancing = false;
    }
  }
}
