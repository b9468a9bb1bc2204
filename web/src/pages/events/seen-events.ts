import { eventResource } from '#vocabulary';
import type { Told } from '../../event-words/told-events.ts';

/** The noun is no part of what is read, so that another can be chosen without reading anew. */
export const ofNoun = (told: readonly Told[], noun: string | undefined): readonly Told[] =>
  noun === undefined ? told : told.filter(({ type }) => eventResource(type) === noun);

/** What is seen while it is paused, and how many wait. */
export function seenWhile(pausedAt: number | undefined, told: readonly Told[]) {
  if (pausedAt === undefined) return { seen: told, waiting: 0 };
  const seen = told.filter(({ id }) => id <= pausedAt);
  return { seen, waiting: told.length - seen.length };
}
