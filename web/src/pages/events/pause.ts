import { eventResource } from '#vocabulary';
import type { ListedEvent } from '../../events/event-list.ts';

/** The noun is no part of what is read, so that another can be chosen without reading anew. */
export const filterByCategory = (
  events: readonly ListedEvent[],
  category: string | undefined,
): readonly ListedEvent[] =>
  category === undefined ? events : events.filter(({ type }) => eventResource(type) === category);

/** What is seen while it is paused, and how many wait. */
export function splitAtPause(pausedAt: number | undefined, events: readonly ListedEvent[]) {
  if (pausedAt === undefined) return { visible: events, newCount: 0 };
  const visible = events.filter(({ id }) => id <= pausedAt);
  return { visible, newCount: events.length - visible.length };
}
