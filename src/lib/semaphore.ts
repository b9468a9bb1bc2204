/** Lets a fixed number of tasks run at once; the others wait in the order in which they came, a bounded number of them. */
export class Semaphore {
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(permits: number, maxWaiting: number) {
    this.#free = permits;
    this.#maxWaiting = maxWaiting;
  }

  /** Whether a task that came now would find room, at once or in the queue. */
  get hasRoom(): boolean {
    return this.#free > 0 || this.#waiting.length < this.#maxWaiting;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
