import type { EventType } from '#vocabulary';
import { EVENT_TYPES } from '#vocabulary';
import { searchText, searchWord } from '../../app/search-text.ts';

export interface AuditSearch {
  readonly type?: EventType;
  readonly actor?: string;
  readonly subject?: string;
  readonly cluster?: string;
  readonly host?: string;
}

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const type = searchWord(search, 'type', EVENT_TYPES);
  const texts = ['actor', 'subject', 'cluster', 'host'] as const;
  const given = texts.flatMap(name => {
    const text = searchText(search, name);
    return text === undefined ? [] : [[name, text]];
  });
  return { ...(type !== undefined && { type }), ...Object.fromEntries(given) };
}
