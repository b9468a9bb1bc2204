/** Seeded pseudorandom numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) >>> 0;
  }

  /** At least 0 and less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns an integer; both limits are included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  isOneIn(times: number): boolean {
    return this.next() * times < 1;
  }

  pick<T extends NonNullable<unknown> | null>(choices: readonly T[]): T {
    const picked = choices[Math.floor(this.next() * choices.length)];
    if (picked === undefined) throw new Error('the list of choices is empty');
    return picked;
  }

  /** The weight of a choice is relative to the sum of all weights. */
  pickBy<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
    let remaining = this.next() * choices.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, choice] of choices) {
      remaining -= weight;
      if (remaining < 0) return choice;
    }
    throw new Error('the list of choices is empty');
  }

  /** Returns some of the integers from 0 to `count - 1`, each with this probability. */
  some(count: number, chance: number): number[] {
    return Array.from({ length: count }, (_, index) => index).filter(() => this.next() < chance);
  }
}
