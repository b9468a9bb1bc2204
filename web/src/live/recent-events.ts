import type { Static } from 'typebox';
import type { Event } from '#contract/routes/events.ts';
import type { Positioned } from '../api/client.ts';

export type LoggedEvent = Static<typeof Event>;

/** The newest events without a gap, so that whatever was read at some position can be brought up to date. */
export class RecentEvents {
  readonly #capacity: number;
  #events: LoggedEvent[] = [];
  /** Everything after this position is here. */
  #from: number | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** From here on all are told. */
  start(position: number): void {
    this.#events = [];
    this.#from = position;
  }

  /** Whoever comes next must not be told what is known now. */
  clear(): void {
    this.#events = [];
    this.#from = undefined;
  }

  add(events: readonly LoggedEvent[]): void {
    this.#events.push(...events);
    if (this.#events.length <= this.#capacity) return;
    const dropped = this.#events.splice(0, this.#events.length - this.#capacity / 2);
    this.#from = dropped.at(-1)?.id ?? this.#from;
  }

  /** What came after a position; `undefined`: not all of it is known. */
  after(position: number): readonly LoggedEvent[] | undefined {
    if (this.#from === undefined || position < this.#from) return undefined;
    const first = this.#events.findIndex(({ id }) => id > position);
    return first === -1 ? [] : this.#events.slice(first);
  }
}

/** What was read, brought up to date by events; those that the read has seen change nothing. */
export function applyNewerEvents<T>(
  current: Positioned<T>,
  events: readonly LoggedEvent[],
  apply: (value: T, events: readonly LoggedEvent[]) => T,
): Positioned<T> {
  const newer = events.filter(({ id }) => id > current.position);
  const last = newer.at(-1);
  if (last === undefined) return current;
  return { value: apply(current.value, newer), position: last.id };
}
