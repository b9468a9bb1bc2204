import { searchParser, stringParam } from '../../ui/format/search-param.ts';

/** `name`: the open record. */
export const parseDriverRecordsSearch = searchParser({ name: stringParam });
