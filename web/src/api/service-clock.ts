import { clockAheadMs } from '#client/clock-ahead.ts';

/** The clock of the service, by the `Date` of its answers: its times are told by it, whatever the clock here says. */
export class ServiceClock {
  #aheadMs = 0;

  /** How far it is ahead of the one here. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** An answer has come. What is told moves only when it was wrong: a second is no difference. */
  hear(date: string | null, nowMs: number): void {
    this.#aheadMs += clockAheadMs(date, nowMs + this.#aheadMs);
  }
}

export const serviceClock = new ServiceClock();
