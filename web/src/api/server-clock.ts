import { getClockOffsetMs } from '#sdk/response-headers.ts';

/** Clock of the server, from the `Date` header of its responses. The browser clock can be wrong. */
export class ServerClock {
  #offsetMs = 0;

  get offsetMs(): number {
    return this.#offsetMs;
  }

  /** Small differences do not change the offset, because the `Date` header has a resolution of one second. */
  update(date: string | null, nowMs: number): void {
    this.#offsetMs += getClockOffsetMs(date, nowMs + this.#offsetMs);
  }
}

export const serverClock = new ServerClock();
