// Reads fields of event data. The fields depend on the event type, and a newer server can send other types of values,
// so every value is checked.

import type { Event, EventField } from '#contract/event-payloads.ts';

type EventWithData = Pick<Event, 'data'>;

/** Returns a string or number as text, and an empty string for other values. */
export function getText({ data }: EventWithData, field: EventField): string {
  const value = data[field];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns only the strings of a list. */
export function getTextList({ data }: EventWithData, field: EventField): readonly string[] {
  const value = data[field];
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];
}

/** Returns undefined for other values. */
export const getEnum = <Value extends string>(
  { data }: EventWithData,
  field: EventField,
  values: readonly Value[],
): Value | undefined => values.find(candidate => candidate === data[field]);
