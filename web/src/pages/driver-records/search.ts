import { stringParam } from '../../ui/format/search-param.ts';

/** The open record. */
export interface DriverRecordsSearch {
  readonly name?: string;
}

export function parseDriverRecordsSearch(search: Record<string, unknown>): DriverRecordsSearch {
  const name = stringParam(search, 'name');
  return { ...(name !== undefined && { name }) };
}
