import { nounOf } from '../../live/event-nouns.ts';
import type { Happened } from '../../live/happened.ts';
import type { EventsSearch } from './search.ts';

/** An event as it is told here: as it came, or as the audit log has it. */
export interface Told extends Happened {
  readonly id: number;
  readonly at: string;
}

/** So many are kept, and shown. */
export const MOST_TOLD = 500;

const concerns = ({ cluster, host }: EventsSearch, event: Told) =>
  (cluster === undefined || event.cluster === cluster) && (host === undefined || event.host === host);

/** The newest first, after more have come. The noun does not count here, so that another can be chosen without reading anew. */
export function withEvents(
  search: EventsSearch,
  told: readonly Told[],
  events: readonly Told[],
): readonly Told[] {
  const more = events.filter(event => concerns(search, event)).reverse();
  return more.length === 0 ? told : [...more, ...told].slice(0, MOST_TOLD);
}

export const ofNoun = (told: readonly Told[], noun: string | undefined): readonly Told[] =>
  noun === undefined ? told : told.filter(({ type }) => nounOf(type) === noun);

/** What is seen while it is paused, and how many wait. */
export function seenWhile(pausedAt: number | undefined, told: readonly Told[]) {
  if (pausedAt === undefined) return { seen: told, waiting: 0 };
  const seen = told.filter(({ id }) => id <= pausedAt);
  return { seen, waiting: told.length - seen.length };
}
