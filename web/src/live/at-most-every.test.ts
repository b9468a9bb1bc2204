import { beforeEach, describe, expect, it } from 'vitest';
import type { Timer } from './at-most-every.ts';
import { AtMostEvery } from './at-most-every.ts';

/** Time that passes when it is told to. */
class HandTimer implements Timer {
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

  passTo(nowMs: number): void {
    this.#nowMs = nowMs;
    for (const due of [...this.#due].filter(({ atMs }) => atMs <= nowMs)) {
      this.#due.delete(due);
      due.run();
    }
  }
}

let timer: HandTimer;
let doneAt: number[];
let paced: AtMostEvery;

beforeEach(() => {
  timer = new HandTimer();
  doneAt = [];
  paced = new AtMostEvery(100, () => doneAt.push(timer.nowMs()), timer);
});

describe('at most every 100 ms', () => {
  it.each<[string, readonly number[], readonly number[]]>([
    ['never, when nobody wants it', [], []],
    ['at once, the first time', [5], [5]],
    ['together, what comes in between', [5, 6, 50, 104], [5, 105]],
    ['at once again after a while', [5, 300], [5, 300]],
    ['the last one always', [5, 105, 150], [5, 105, 205]],
  ])('%s', (_what, wantedAt, expected) => {
    for (let ms = 0; ms <= 1000; ms += 1) {
      timer.passTo(ms);
      if (wantedAt.includes(ms)) paced.soon();
      timer.passTo(ms);
    }
    expect(doneAt).toEqual(expected);
  });

  it('nothing after it was stopped, until it is wanted again', () => {
    paced.soon();
    paced.stop();
    timer.passTo(500);
    expect(doneAt).toEqual([]);
    paced.soon();
    timer.passTo(600);
    expect(doneAt).toEqual([600]);
  });
});
