import { stringParam } from '../../ui/format/search-param.ts';

/** Filters stored in the URL. `noun` is the category. */
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
