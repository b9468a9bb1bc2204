import type { EventType } from '#vocabulary';
import { EVENT_TYPES } from '#vocabulary';
import { searchText, searchWord } from '../../app/search-text.ts';

const TEXTS = ['actor', 'subject', 'cluster', 'host', 'operation', 'since', 'until'] as const;

/** What the address bar says about which entries are shown: the filters of the service, in its words. */
export interface AuditSearch extends Partial<Readonly<Record<(typeof TEXTS)[number], string>>> {
  readonly type?: EventType;
}

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const type = searchWord(search, 'type', EVENT_TYPES);
  const given = TEXTS.flatMap(name => {
    const text = searchText(search, name);
    return text === undefined ? [] : [[name, text]];
  });
  return { ...(type !== undefined && { type }), ...Object.fromEntries(given) };
}
