import { searchText } from '../../app/search-text.ts';

/** Which host of an operation is looked at. */
export interface OperationSearch {
  readonly host?: string;
}

export function readOperationSearch(search: Record<string, unknown>): OperationSearch {
  const host = searchText(search, 'host');
  return host === undefined ? {} : { host };
}
