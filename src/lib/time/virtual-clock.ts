// Time that moves only when it is told to: hours of waiting pass in a moment, and in the same order every time. Before each step
// it lets the program do what it can do without time passing, so that whatever wants to wait has said so.

import type { AlarmClock } from './clock.ts';
import { TimerQueue } from './timer-queue.ts';

/** Turns of the event loop without anything new, after which nothing more is expected. */
const QUIET_TURNS = 3;

const turn = () => new Promise<void>(resolve => setImmediate(resolve));
const inSeconds = (ms: number) => `${ms / 1000} s`;

export interface VirtualClockOptions {
  /** Milliseconds since 1970. Default: the first second of 2030. */
  readonly startMs?: number;
  /** Whether nothing is under way outside of this process, such as a query to a database. Default: nothing ever is. */
  readonly quiet?: () => boolean;
}

export class VirtualClock implements AlarmClock {
  readonly #startMs: number;
  readonly #quiet: () => boolean;
  readonly #timers = new TimerQueue();
  #passedMs = 0;
  #setBackMs = 0;
  /** Counts timers ever set, to see whether something still happens. */
  #set = 0;
  #isMoving = false;

  constructor({ startMs = Date.UTC(2030, 0, 1), quiet = () => true }: VirtualClockOptions = {}) {
    this.#startMs = startMs;
    this.#quiet = quiet;
  }

  now(): number {
    return this.#startMs + this.#passedMs - this.#setBackMs;
  }

  /** The clock on the wall is set back; what measures how long something takes goes on. */
  setBack(ms: number): void {
    this.#setBackMs += ms;
  }

  monotonicMs(): number {
    return this.#passedMs;
  }

  after(ms: number, callback: () => void): () => void {
    this.#set += 1;
    return this.#timers.add(this.#passedMs + Math.max(0, ms), callback);
  }

  /** Timers that are set and not yet due. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets so much time pass, and everything happen that is due in it. */
  async advance(ms: number): Promise<void> {
    await this.#move(async () => {
      const untilMs = this.#passedMs + ms;
      await this.#settle();
      for (let atMs = this.#timers.nextAtMs; atMs !== undefined && atMs <= untilMs; ) {
        await this.#step(atMs);
        atMs = this.#timers.nextAtMs;
      }
      this.#passedMs = untilMs;
    });
  }

  /** Lets time pass until the condition holds, from one timer to the next. */
  async advanceUntil(condition: () => boolean | Promise<boolean>, withinMs: number): Promise<void> {
    await this.#move(async () => {
      const [startMs, untilMs] = [this.#passedMs, this.#passedMs + withinMs];
      await this.#settle();
      while (!(await condition())) {
        const atMs = this.#timers.nextAtMs;
        const passed = inSeconds(this.#passedMs - startMs);
        if (atMs === undefined)
          throw new Error(`nobody waits for anything any more, after ${passed}: ${condition}`);
        if (atMs > untilMs) {
          this.#passedMs = untilMs;
          throw new Error(`it did not come true within ${inSeconds(withinMs)} of virtual time: ${condition}`);
        }
        await this.#step(atMs);
      }
    });
  }

  async #step(atMs: number): Promise<void> {
    this.#passedMs = Math.max(this.#passedMs, atMs);
    for (let due = this.#timers.take(atMs); due !== undefined; due = this.#timers.take(atMs)) due();
    await this.#settle();
  }

  /** Until nothing new was set, and the world was quiet, for some turns of the event loop. */
  async #settle(): Promise<void> {
    for (let turns = 0; turns < QUIET_TURNS; ) {
      const set = this.#set;
      await turn();
      turns = set === this.#set && this.#quiet() ? turns + 1 : 0;
    }
  }

  async #move(steps: () => Promise<void>): Promise<void> {
    if (this.#isMoving) throw new Error('somebody moves this clock already');
    this.#isMoving = true;
    try {
      await steps();
    } finally {
      this.#isMoving = false;
    }
  }
}
