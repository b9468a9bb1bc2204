import type { AlarmClock } from './clock.ts';

/** Has something done at the earliest time that was asked for, one after the other, and not too often. */
export class Pacer {
  readonly #clock: AlarmClock;
  readonly #paceMs: number;
  readonly #task: () => Promise<void>;
  #next: { readonly atMs: number; readonly cancel: () => void } | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(clock: AlarmClock, paceMs: number, task: () => Promise<void>) {
    this.#clock = clock;
    this.#paceMs = paceMs;
    this.#task = task;
  }

  /** In so long, or earlier if somebody else asks for that. */
  doIn(ms: number): void {
    if (this.#isStopped || ms === Number.POSITIVE_INFINITY) return;
    const now = this.#clock.monotonicMs();
    const atMs = Math.max(now + ms, this.#lastMs + this.#paceMs);
    if (this.#next && this.#next.atMs <= atMs) return;
    this.#next?.cancel();
    this.#next = { atMs, cancel: this.#clock.after(Math.max(0, atMs - now), () => this.#begin()) };
  }

  /** Nothing begins any more; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#next?.cancel();
    await this.#running;
  }

  #begin(): void {
    this.#next = undefined;
    if (this.#running) {
      this.doIn(this.#paceMs);
      return;
    }
    this.#lastMs = this.#clock.monotonicMs();
    this.#running = this.#task().finally(() => {
      this.#running = undefined;
    });
  }
}
