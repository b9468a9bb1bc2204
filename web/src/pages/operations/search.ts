import type { OperationKind, RecordStatus } from '#vocabulary';
import { OPERATION_KINDS, RECORD_STATUSES } from '#vocabulary';
import { searchText, searchWord } from '../../ui/words/search-text.ts';

export interface OperationsSearch {
  readonly cluster?: string;
  readonly kind?: OperationKind;
  readonly status?: RecordStatus;
}

export function readOperationsSearch(search: Record<string, unknown>): OperationsSearch {
  const cluster = searchText(search, 'cluster');
  const kind = searchWord(search, 'kind', OPERATION_KINDS);
  const status = searchWord(search, 'status', RECORD_STATUSES);
  return {
    ...(cluster !== undefined && { cluster }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
  };
}
