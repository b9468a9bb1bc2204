import { getClockOffsetMs } from '#sdk/response-headers.ts';

/** The clock of the service, by the `Date` of its answers: its times are told by it, whatever the clock here says. */
export class ServerClock {
  #offsetMs = 0;

  /** How far it is ahead of the one here. */
  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** An answer has come. What is told moves only when it was wrong: a second is no difference. */
  update(date: string | null, nowMs: number): void {
    this.#offsetMs += getClockOffsetMs(date, nowMs + this.#offsetMs);
  }
}

export const serverClock = new ServerClock();
