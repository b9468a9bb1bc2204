/** Lets a fixed number of tasks run at once; the others wait in the order in which they came, a bounded number of them. */
export class Semaphore {
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(permits: number, maxWaiting: number) {
    this.#free = permits;
    this.#maxWaiting = maxWaiting;
  }

  /** Runs the task in its turn; `undefined` when too many wait already. Tasks of less weight may ask for a shorter queue. */
  tryRun<T>(task: () => Promise<T>, maxWaiting = this.#maxWaiting): Promise<T> | undefined {
    if (this.#free === 0 && this.#waiting.length >= maxWaiting) return undefined;
    return this.run(task);
  }

  /** Runs the task in its turn, however many wait. */
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
