import { eventResource } from '#vocabulary';
import type { ListedEvent } from '../../events/event-list.ts';

/** Filters in the browser, so another category needs no refetch. */
export const filterByCategory = (
  events: readonly ListedEvent[],
  category: string | undefined,
): readonly ListedEvent[] =>
  category === undefined ? events : events.filter(({ type }) => eventResource(type) === category);

export function splitAtPause(pausedAt: number | undefined, events: readonly ListedEvent[]) {
  if (pausedAt === undefined) return { visible: events, newCount: 0 };
  const visible = events.filter(({ id }) => id <= pausedAt);
  return { visible, newCount: events.length - visible.length };
}
