import type { EventLike } from './event-message-parts.ts';

/** Whose events; left out: all. */
export interface EventFilter {
  readonly cluster?: string;
  readonly host?: string;
}

/** Something that happened, with its number and time: as it came, or as the audit log has it. */
export interface ListedEvent extends EventLike {
  readonly id: number;
  readonly at: string;
}

/** So many are kept, and shown. */
export const MAX_EVENTS = 500;

const matchesFilter = ({ cluster, host }: EventFilter, event: ListedEvent) =>
  (cluster === undefined || event.cluster === cluster) && (host === undefined || event.host === host);

/** The newest first, after more have come. */
export function prependEvents(
  filter: EventFilter,
  listed: readonly ListedEvent[],
  events: readonly ListedEvent[],
): readonly ListedEvent[] {
  const added = events.filter(event => matchesFilter(filter, event)).reverse();
  return added.length === 0 ? listed : [...added, ...listed].slice(0, MAX_EVENTS);
}
