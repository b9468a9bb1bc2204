import type { Static } from 'typebox';
import type { Event } from '#contract/routes/events.ts';

export type LoggedEvent = Static<typeof Event>;

/** The newest events without a gap, so that whatever was read at some position can be brought up to date. */
export class RecentEvents {
  readonly #most: number;
  #events: LoggedEvent[] = [];
  /** Everything after this position is here. */
  #from: number | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** From here on all are told. */
  begin(position: number): void {
    this.#events = [];
    this.#from = position;
  }

  /** Whoever comes next must not be told what is known now. */
  forget(): void {
    this.#events = [];
    this.#from = undefined;
  }

  add(events: readonly LoggedEvent[]): void {
    this.#events.push(...events);
    if (this.#events.length <= this.#most) return;
    const dropped = this.#events.splice(0, this.#events.length - this.#most / 2);
    this.#from = dropped.at(-1)?.id ?? this.#from;
  }

  /** What came after a position; `undefined`: not all of it is known. */
  since(position: number): readonly LoggedEvent[] | undefined {
    if (this.#from === undefined || position < this.#from) return undefined;
    const first = this.#events.findIndex(({ id }) => id > position);
    return first === -1 ? [] : this.#events.slice(first);
  }
}
