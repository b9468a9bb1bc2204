import { stringParam } from '../../ui/format/search-param.ts';

/** What the address bar says about which events are shown. */
export interface EventsSearch {
  readonly noun?: string;
  readonly cluster?: string;
  readonly host?: string;
}

export function parseEventsSearch(search: Record<string, unknown>): EventsSearch {
  const [noun, cluster, host] = ['noun', 'cluster', 'host'].map(name => stringParam(search, name));
  return {
    ...(noun !== undefined && { noun }),
    ...(cluster !== undefined && { cluster }),
    ...(host !== undefined && { host }),
  };
}
