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
  #calledOff = 0;
  #order = 0;

  get size(): number {
    return this.#heap.length - this.#calledOff;
  }

  /** Answers what calls it off. */
  add(atMs: number, callback: () => void): () => void {
    this.#order += 1;
    const timer: Timer = { atMs, order: this.#order, callback };
    this.#heap.push(timer);
    this.#rise(this.#heap.length - 1);
    return () => this.#callOff(timer);
  }

  /** When the next one is due. */
  get nextAtMs(): number | undefined {
    while (this.#heap[0] !== undefined && this.#heap[0].callback === undefined) {
      this.#takeFirst();
      this.#calledOff -= 1;
    }
    return this.#heap[0]?.atMs;
  }

  /** Takes out the next one that is due by then. */
  take(byMs: number): (() => void) | undefined {
    const atMs = this.nextAtMs;
    if (atMs === undefined || atMs > byMs) return undefined;
    const timer = this.#takeFirst();
    const callback = timer?.callback;
    // Whoever calls it off from here on comes too late, and must not be counted.
    if (timer) timer.callback = undefined;
    return callback;
  }

  #callOff(timer: Timer): void {
    if (timer.callback === undefined) return;
    timer.callback = undefined;
    this.#calledOff += 1;
    // Most limits of time are called off long before they are due; they must not pile up. What is sorted is a heap.
    if (this.#calledOff > 64 && this.#calledOff > this.#heap.length / 2) {
      this.#heap = this.#heap.filter(({ callback }) => callback).sort((a, b) => (isBefore(a, b) ? -1 : 1));
      this.#calledOff = 0;
    }
  }

  #takeFirst(): Timer | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last !== undefined && last !== first) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #rise(from: number): void {
    const heap = this.#heap;
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      const [above, below] = [heap[parent], heap[at]];
      if (above === undefined || below === undefined || isBefore(above, below)) return;
      [heap[parent], heap[at]] = [below, above];
      at = parent;
    }
  }

  #sink(): void {
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
