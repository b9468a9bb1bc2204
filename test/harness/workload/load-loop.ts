import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../../src/lib/errors.ts';

/** Repeats a round until it is stopped. Errors are recorded, and the next round starts. */
export class LoadLoop {
  readonly name: string;
  readonly errors: string[] = [];
  /** Rounds without errors. */
  completed = 0;
  readonly #runRound: (number: number) => Promise<readonly string[]>;
  readonly #pauseMs: number;
  #isStopping = false;
  #running: Promise<void> | undefined;

  /** A round returns its errors. */
  constructor(name: string, pauseMs: number, runRound: (number: number) => Promise<readonly string[]>) {
    this.name = name;
    this.#pauseMs = pauseMs;
    this.#runRound = runRound;
  }

  start(): void {
    this.#running = this.runWhile(() => !this.#isStopping);
  }

  /** Waits for the current round. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#running;
  }

  /** Runs rounds until the action ends, and returns its result. */
  async runDuring<Result>(action: () => Promise<Result>): Promise<Result> {
    this.start();
    try {
      return await action();
    } finally {
      await this.stop();
    }
  }

  /** Runs rounds while the condition holds. */
  async runWhile(condition: () => boolean): Promise<void> {
    for (let number = 0; condition(); number += 1) {
      try {
        const errors = await this.#runRound(number);
        this.errors.push(...errors.map(error => `${this.name}: ${error}`));
        if (errors.length === 0) this.completed += 1;
      } catch (error) {
        this.errors.push(`${this.name}: ${errorMessage(error)}`);
      }
      await delay(this.#pauseMs);
    }
  }
}
