import { setTimeout as delay } from 'node:timers/promises';
import type { People } from './people.ts';

const EVERY_MS = 100;

/** Has clusters recorded all the time, at any server, and remembers which were acknowledged. */
export class Clerk {
  readonly acknowledged: string[] = [];
  readonly #people: People;
  #isStopping = false;
  #writing: Promise<void> | undefined;

  constructor(people: People) {
    this.#people = people;
  }

  start(): void {
    this.#writing = this.#write();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#writing;
  }

  async #write(): Promise<void> {
    for (let number = 1; !this.#isStopping; number += 1) {
      const name = `note-${number}`;
      const answer = await this.#people.askAny(`cluster/${name}`, {
        method: 'PUT',
        body: { network: 'default' },
      });
      if (answer?.status === 201) this.acknowledged.push(name);
      await delay(EVERY_MS);
    }
  }
}
