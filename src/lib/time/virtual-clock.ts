import type { TimerClock } from './clock.ts';

interface Timer {
  readonly atMs: number;
  /** Those of the same time go in the order in which they were set. */
  readonly order: number;
  /** Missing once it is called off. */
  callback: (() => void) | undefined;
}

const isBefore = (a: Timer, b: Timer) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

/** Timers by time, as a heap: setting one and taking the next cost little, however many there are. */
export class TimerQueue {
  #heap: Timer[] = [];
  #cancelledCount = 0;
  #order = 0;

  get size(): number {
    return this.#heap.length - this.#cancelledCount;
  }

  /** Answers what calls it off. */
  add(atMs: number, callback: () => void): () => void {
    this.#order += 1;
    const timer: Timer = { atMs, order: this.#order, callback };
    this.#heap.push(timer);
    this.#siftUp(this.#heap.length - 1);
    return () => this.#cancel(timer);
  }

  /** When the next one is due. */
  get nextAtMs(): number | undefined {
    while (this.#heap[0] !== undefined && this.#heap[0].callback === undefined) {
      this.#takeFirst();
      this.#cancelledCount -= 1;
    }
    return this.#heap[0]?.atMs;
  }

  /** Takes out the next one that is due by then. */
  takeDue(byMs: number): (() => void) | undefined {
    const atMs = this.nextAtMs;
    if (atMs === undefined || atMs > byMs) return undefined;
    const timer = this.#takeFirst();
    const callback = timer?.callback;
    // Whoever calls it off from here on comes too late, and must not be counted.
    if (timer) timer.callback = undefined;
    return callback;
  }

  #cancel(timer: Timer): void {
    if (timer.callback === undefined) return;
    timer.callback = undefined;
    this.#cancelledCount += 1;
    // Most limits of time are called off long before they are due; they must not pile up. What is sorted is a heap.
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

// Time that moves only when it is told to: hours of waiting pass in a moment, and in the same order every time. Before each step
// it lets the program do what it can do without time passing, so that whatever wants to wait has said so.

/** Turns of the event loop without anything new, after which nothing more is expected. */
const IDLE_TURNS = 3;

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve));
const formatSeconds = (ms: number) => `${ms / 1000} s`;

export interface VirtualClockOptions {
  /** Milliseconds since 1970. Default: the first second of 2030. */
  readonly startMs?: number;
  /** Whether nothing is under way outside of this process, such as a query to a database. Default: nothing ever is. */
  readonly isIdle?: () => boolean;
}

export class VirtualClock implements TimerClock {
  readonly #startMs: number;
  readonly #isIdle: () => boolean;
  readonly #timers = new TimerQueue();
  #passedMs = 0;
  #setBackMs = 0;
  /** Counts timers ever set, to see whether something still happens. */
  #timersSet = 0;
  #isMoving = false;

  constructor({ startMs = Date.UTC(2030, 0, 1), isIdle = () => true }: VirtualClockOptions = {}) {
    this.#startMs = startMs;
    this.#isIdle = isIdle;
  }

  now(): number {
    return this.#startMs + this.#passedMs - this.#setBackMs;
  }

  /** The clock on the wall is set back; what measures how long something takes goes on. */
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

  /** Timers that are set and not yet due. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets so much time pass, and everything happen that is due in it. */
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

  /** Lets time pass until the condition holds, from one timer to the next. */
  async advanceUntil(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
    await this.#runExclusively(async () => {
      const [startMs, untilMs] = [this.#passedMs, this.#passedMs + withinMs];
      await this.#runUntilIdle();
      while (!(await condition())) {
        const atMs = this.#timers.nextAtMs;
        const passed = formatSeconds(this.#passedMs - startMs);
        if (atMs === undefined)
          throw new Error(`nobody waits for anything any more, after ${passed}: ${condition}`);
        if (atMs > untilMs) {
          this.#passedMs = untilMs;
          throw new Error(
            `it did not come true within ${formatSeconds(withinMs)} of virtual time: ${condition}`,
          );
        }
        await this.#step(atMs);
      }
    });
  }

  async #step(atMs: number): Promise<void> {
    this.#passedMs = Math.max(this.#passedMs, atMs);
    for (let due = this.#timers.takeDue(atMs); due !== undefined; due = this.#timers.takeDue(atMs)) due();
    await this.#runUntilIdle();
  }

  /** Until nothing new was set, and the world was quiet, for some turns of the event loop. */
  async #runUntilIdle(): Promise<void> {
    for (let idleTurns = 0; idleTurns < IDLE_TURNS; ) {
      const timersBefore = this.#timersSet;
      await nextTurn();
      idleTurns = timersBefore === this.#timersSet && this.#isIdle() ? idleTurns + 1 : 0;
    }
  }

  async #runExclusively(run: () => Promise<void>): Promise<void> {
    if (this.#isMoving) throw new Error('somebody moves this clock already');
    this.#isMoving = true;
    try {
      await run();
    } finally {
      this.#isMoving = false;
    }
  }
}
