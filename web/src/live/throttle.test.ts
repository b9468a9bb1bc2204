import { beforeEach, describe, expect, test } from 'vitest';
import type { TimerApi } from './throttle.ts';
import { Throttle } from './throttle.ts';

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

describe('Throttle with an interval of 100 ms', () => {
  test.each<[string, readonly number[], readonly number[]]>([
    ['never when it is not scheduled', [], []],
    ['immediately the first time', [5], [5]],
    ['once for calls within an interval', [5, 6, 50, 104], [5, 105]],
    ['immediately after the interval', [5, 300], [5, 300]],
    ['after the interval for the last call', [5, 105, 150], [5, 105, 205]],
  ])('runs %s', (_title, scheduledAt, expected) => {
    for (let ms = 0; ms <= 1000; ms += 1) {
      timer.advanceTo(ms);
      if (scheduledAt.includes(ms)) throttle.schedule();
      timer.advanceTo(ms);
    }
    expect(runAt).toEqual(expected);
  });

  test('does not run after stop until it is scheduled again', () => {
    throttle.schedule();
    throttle.stop();
    timer.advanceTo(500);
    expect(runAt).toEqual([]);
    throttle.schedule();
    timer.advanceTo(600);
    expect(runAt).toEqual([600]);
  });
});
