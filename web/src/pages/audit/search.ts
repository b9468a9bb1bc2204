import type { EventType } from '#vocabulary';
import { EVENT_TYPES } from '#vocabulary';
import { enumParam, stringParam } from '../../ui/format/search-param.ts';

const TEXT_PARAMS = ['actor', 'subject', 'cluster', 'host', 'operation', 'since', 'until'] as const;

/** What the address bar says about which entries are shown: the filters of the service, in its words. */
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

// The service speaks UTC; people type times of their own zone.

const pad = (value: number) => String(value).padStart(2, '0');

/** As a field for times has it; empty for what is none. */
export function toLocalInput(utc: string): string {
  const date = new Date(utc.length === 10 ? `${utc}T00:00Z` : `${utc}Z`);
  if (Number.isNaN(date.getTime())) return '';
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/** As the service takes it; empty for what is none. */
export function toUtc(local: string): string {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 16);
}
