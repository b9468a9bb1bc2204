import type { EventLike } from './event-message-parts.ts';

/** An omitted field matches all events. */
export interface EventFilter {
  readonly cluster?: string;
  readonly host?: string;
}

/** An event from the stream or from the audit log. */
export interface ListedEvent extends EventLike {
  readonly id: number;
  readonly at: string;
}

export const MAX_EVENTS = 500;

const matchesFilter = ({ cluster, host }: EventFilter, event: ListedEvent) =>
  (cluster === undefined || event.cluster === cluster) && (host === undefined || event.host === host);

/** Returns the list with the newest event first. */
export function prependEvents(
  filter: EventFilter,
  listed: readonly ListedEvent[],
  events: readonly ListedEvent[],
): readonly ListedEvent[] {
  const added = events.filter(event => matchesFilter(filter, event)).reverse();
  return added.length === 0 ? listed : [...added, ...listed].slice(0, MAX_EVENTS);
}
