import type { EventType } from '#vocabulary';
import { EVENT_TYPES } from '#vocabulary';
import { searchText, searchWord } from '../../ui/words/search-text.ts';

const TEXTS = ['actor', 'subject', 'cluster', 'host', 'operation', 'since', 'until'] as const;

/** What the address bar says about which entries are shown: the filters of the service, in its words. */
export interface AuditSearch extends Partial<Readonly<Record<(typeof TEXTS)[number], string>>> {
  readonly type?: EventType;
}

export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const type = searchWord(search, 'type', EVENT_TYPES);
  const texts: { -readonly [Name in (typeof TEXTS)[number]]?: string } = {};
  for (const name of TEXTS) {
    const text = searchText(search, name);
    if (text !== undefined) texts[name] = text;
  }
  return { ...(type !== undefined && { type }), ...texts };
}
