import { searchText } from '../../ui/words/search-text.ts';

/** Which record is open. */
export interface DriverRecordsSearch {
  readonly name?: string;
}

export function readDriverRecordsSearch(search: Record<string, unknown>): DriverRecordsSearch {
  const name = searchText(search, 'name');
  return { ...(name !== undefined && { name }) };
}
