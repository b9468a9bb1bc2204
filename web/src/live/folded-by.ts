import type { Reading } from '../api/client.ts';
import type { LoggedEvent } from './recent-events.ts';

/** What was read, brought up to date by events; those that the read has seen change nothing. */
export function foldedBy<T>(
  reading: Reading<T>,
  events: readonly LoggedEvent[],
  fold: (value: T, events: readonly LoggedEvent[]) => T,
): Reading<T> {
  const later = events.filter(({ id }) => id > reading.position);
  const last = later.at(-1);
  if (last === undefined) return reading;
  return { value: fold(reading.value, later), position: last.id };
}
