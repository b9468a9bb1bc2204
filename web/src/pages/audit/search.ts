import type { EventType } from '#vocabulary';
import { EVENT_TYPES } from '#vocabulary';
import { enumParam, stringParam } from '../../ui/format/search-param.ts';

const TEXT_PARAMS = ['actor', 'subject', 'cluster', 'host', 'operation', 'since', 'until'] as const;

/** Filters of the audit log API, stored in the URL. */
export interface AuditSearch extends Partial<Readonly<Record<(typeof TEXT_PARAMS)[number], string>>> {
  readonly type?: EventType;
}

export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  const type = enumParam(search, 'type', EVENT_TYPES);
  const values: { -readonly [Name in (typeof TEXT_PARAMS)[number]]?: string } = {};
  for (const name of TEXT_PARAMS) {
    const text = stringParam(search, name);
    if (text !== undefined) values[name] = text;
  }
  return { ...(type !== undefined && { type }), ...values };
}

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
