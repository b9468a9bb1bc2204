import { searchText } from '../../ui/words/search-text.ts';

/** What the address bar says about which events are shown. */
export interface EventsSearch {
  readonly noun?: string;
  readonly cluster?: string;
  readonly host?: string;
}

export function readEventsSearch(search: Record<string, unknown>): EventsSearch {
  const [noun, cluster, host] = ['noun', 'cluster', 'host'].map(name => searchText(search, name));
  return {
    ...(noun !== undefined && { noun }),
    ...(cluster !== undefined && { cluster }),
    ...(host !== undefined && { host }),
  };
}
