import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../../src/lib/errors.ts';

/** Somebody who does the same again and again until it is time to go home. What goes wrong is noted, and the next round begins. */
export class Routine {
  readonly what: string;
  readonly problems: string[] = [];
  /** How often it was done, and nothing was wrong. */
  done = 0;
  readonly #round: (number: number) => Promise<readonly string[]>;
  readonly #pauseMs: number;
  #isStopping = false;
  #going: Promise<void> | undefined;

  /** A round answers what is wrong. */
  constructor(what: string, pauseMs: number, round: (number: number) => Promise<readonly string[]>) {
    this.what = what;
    this.#pauseMs = pauseMs;
    this.#round = round;
  }

  start(): void {
    this.#going = this.#go();
  }

  /** After the round that is under way. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#going;
  }

  async #go(): Promise<void> {
    for (let number = 0; !this.#isStopping; number += 1) {
      try {
        const problems = await this.#round(number);
        this.problems.push(...problems.map(problem => `${this.what}: ${problem}`));
        if (problems.length === 0) this.done += 1;
      } catch (error) {
        this.problems.push(`${this.what}: ${errorMessage(error)}`);
      }
      await delay(this.#pauseMs);
    }
  }
}
