import { searchParser, stringParam } from '../../ui/format/search-param.ts';

/** `noun` is the category. */
export const parseEventsSearch = searchParser({ noun: stringParam, cluster: stringParam, host: stringParam });
export type EventsSearch = ReturnType<typeof parseEventsSearch>;
