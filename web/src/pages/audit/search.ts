import { EVENT_TYPES } from '#vocabulary';
import { enumParam, searchParser, stringParam } from '../../ui/format/search-param.ts';

/** `all` is a value because the default, only entries that a request caused, has no parameter. */
const SHOWN_ORIGINS = ['system', 'all'] as const;

export const parseAuditSearch = searchParser({
  origin: enumParam(SHOWN_ORIGINS),
  type: enumParam(EVENT_TYPES),
  actor: stringParam,
  subject: stringParam,
  cluster: stringParam,
  host: stringParam,
  operation: stringParam,
  since: stringParam,
  until: stringParam,
});
export type AuditSearch = ReturnType<typeof parseAuditSearch>;

/**
 * The filter of the API. The page opens with what people and programs did. A selected event type shows all its entries,
 * because most types have one origin only.
 */
export function toAuditQuery({ origin, ...filter }: AuditSearch) {
  if (origin === 'all' || (origin === undefined && filter.type !== undefined)) return filter;
  return { ...filter, origin: origin ?? 'request' } as const;
}

/** Whether a filter other than the origin is set. */
export const hasFilters = ({ origin: _, ...filter }: AuditSearch): boolean => Object.keys(filter).length > 0;

// The API uses UTC; the form uses the local time zone.

const pad = (value: number) => String(value).padStart(2, '0');

/** Value of a datetime-local input. Empty for an invalid time. */
export function toLocalInput(utc: string): string {
  const date = new Date(utc.length === 10 ? `${utc}T00:00Z` : `${utc}Z`);
  if (Number.isNaN(date.getTime())) return '';
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** Empty for an invalid time. */
export function toUtc(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16);
}
