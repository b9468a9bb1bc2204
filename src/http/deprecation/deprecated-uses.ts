import type { Deprecation } from '../../contract/deprecation.ts';
import { deprecatedThing } from '../../contract/deprecation.ts';
import type { Route } from '../../contract/route.ts';
import type { Log } from '../../lib/log.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { DAY_MS } from '../../lib/time/day.ts';

/** Who has used it. */
export interface DeprecatedUse {
  readonly row: Route;
  readonly deprecation: Deprecation;
  /** `undefined` where no credentials are needed. */
  readonly account: string | undefined;
  readonly address: string;
}

/**
 * Tells operators who still uses what is deprecated: a line a day for each thing and account, with how often it was the day before.
 * Nothing older is remembered, so there are never more entries than accounts have called in two days.
 */
export class DeprecatedUses {
  readonly #log: Log;
  readonly #clock: Clock;
  #day = 0;
  #today = new Map<string, number>();
  #dayBefore = new Map<string, number>();

  constructor(log: Log, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  #turnTo(day: number): void {
    if (day === this.#day) return;
    this.#dayBefore = day === this.#day + 1 ? this.#today : new Map();
    this.#today = new Map();
    this.#day = day;
  }

  note({ row, deprecation, account, address }: DeprecatedUse): void {
    this.#turnTo(Math.floor(this.#clock.now() / DAY_MS));
    const thing = deprecatedThing(row, deprecation);
    const key = JSON.stringify([thing, account]);
    const before = this.#today.get(key) ?? 0;
    this.#today.set(key, before + 1);
    if (before > 0) return;
    const { since, sunset, instead } = deprecation;
    const usesTheDayBefore = this.#dayBefore.get(key) ?? 0;
    this.#log.warn({ thing, account, address, usesTheDayBefore, since, sunset, instead }, 'deprecated');
  }
}
