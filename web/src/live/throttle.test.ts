import { beforeEach, describe, expect, it } from 'vitest';
import type { TimerApi } from './throttle.ts';
import { Throttle } from './throttle.ts';

/** Time that passes when it is told to. */
class ManualTimer implements TimerApi {
  #nowMs = 0;
  readonly #due = new Set<{ readonly atMs: number; readonly run: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  after(ms: number, run: () => void): () => void {
    const due = { atMs: this.#nowMs + ms, run };
    this.#due.add(due);
    return () => this.#due.delete(due);
  }

  advanceTo(nowMs: number): void {
    this.#nowMs = nowMs;
    for (const due of [...this.#due].filter(({ atMs }) => atMs <= nowMs)) {
      this.#due.delete(due);
      due.run();
    }
  }
}

let timer: ManualTimer;
let runAt: number[];
let throttle: Throttle;

beforeEach(() => {
  timer = new ManualTimer();
  runAt = [];
  throttle = new Throttle(100, () => runAt.push(timer.nowMs()), timer);
});

describe('at most every 100 ms', () => {
  it.each<[string, readonly number[], readonly number[]]>([
    ['never, when nobody wants it', [], []],
    ['at once, the first time', [5], [5]],
    ['together, what comes in between', [5, 6, 50, 104], [5, 105]],
    ['at once again after a while', [5, 300], [5, 300]],
    ['the last one always', [5, 105, 150], [5, 105, 205]],
  ])('%s', (_title, scheduledAt, expected) => {
    for (let ms = 0; ms <= 1000; ms += 1) {
      timer.advanceTo(ms);
      if (scheduledAt.includes(ms)) throttle.schedule();
      timer.advanceTo(ms);
    }
    expect(runAt).toEqual(expected);
  });

  it('nothing after it was stopped, until it is wanted again', () => {
    throttle.schedule();
    throttle.stop();
    timer.advanceTo(500);
    expect(runAt).toEqual([]);
    throttle.schedule();
    timer.advanceTo(600);
    expect(runAt).toEqual([600]);
  });
});
