import type { SeenEvent } from '../chaos/event-reader.ts';

type Told = Pick<SeenEvent, 'type' | 'event'>;

const keyOf = (type: string, subject: string) => `${type} of ${subject}`;

/** What an event is about: the record that its type begins with. */
const subjectOf = ({ type, event }: Told) => String(event[type.split('.')[0] ?? '']);

/** Changes that were acknowledged, each of which must be told once. An event that was never written leaves no gap in the numbers. */
export class Acknowledged {
  readonly #counts = new Map<string, number>();

  /** `subject` is a cluster, a host or an operation. */
  add(type: string, subject: string): void {
    const key = keyOf(type, subject);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** What was told less or more often than it was done. */
  problems(events: readonly Told[]): readonly string[] {
    const told = Map.groupBy(events, event => keyOf(event.type, subjectOf(event)));
    return [...this.#counts]
      .map(([key, count]) => ({ key, count, times: told.get(key)?.length ?? 0 }))
      .filter(({ count, times }) => times !== count)
      .map(({ key, count, times }) => `${key} was acknowledged ${count} times, and told ${times} times`);
  }
}
