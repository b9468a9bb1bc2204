import type { RouteName } from '../../../src/contract/index.ts';
import { Caller } from './caller.ts';
import { errand } from './errands.ts';

const CALLERS = 8;

/** Several callers that run errands at the same time. */
export class Traffic {
  readonly routes = new Set<RouteName>();
  readonly #url: string;
  #requests = 0;
  #errands = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Goes on until so many requests were sent in all; then nobody is connected any more. */
  async until(requests: number): Promise<void> {
    await Promise.all(Array.from({ length: CALLERS }, () => this.#call(requests)));
  }

  async #call(requests: number) {
    const caller = new Caller(this.#url);
    try {
      while (this.#requests < requests) {
        this.#errands += 1;
        for (const step of errand(this.#errands)) {
          this.#requests += 1;
          if (step.route) this.routes.add(step.route);
          const wrong = await caller.take(step);
          if (wrong) throw new Error(wrong.text);
        }
      }
    } finally {
      caller.close();
    }
  }
}
