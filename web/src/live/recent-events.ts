import type { Event } from '#contract/event-payloads.ts';
import type { Positioned } from '../api/client.ts';

export type LoggedEvent = Event;

/** The newest events without gaps. They bring a response of an earlier position up to date. */
export class RecentEvents {
  readonly #capacity: number;
  #events: LoggedEvent[] = [];
  /** Position after which all events are stored. */
  #from: number | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  start(position: number): void {
    this.#events = [];
    this.#from = position;
  }

  /** The next account must not receive these events. */
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

  /** Returns undefined if some of these events are not stored. */
  after(position: number): readonly LoggedEvent[] | undefined {
    if (this.#from === undefined || position < this.#from) return undefined;
    const first = this.#events.findIndex(({ id }) => id > position);
    return first === -1 ? [] : this.#events.slice(first);
  }
}

/** Ignores events that the response already reflects. */
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
