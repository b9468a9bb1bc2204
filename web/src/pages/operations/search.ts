import type { OperationKind, OperationStatus } from '#vocabulary';
import { OPERATION_KINDS, OPERATION_STATUSES } from '#vocabulary';
import { searchText, searchWord } from '../../ui/words/search-text.ts';

export interface OperationsSearch {
  readonly cluster?: string;
  readonly kind?: OperationKind;
  readonly status?: OperationStatus;
}

export function readOperationsSearch(search: Record<string, unknown>): OperationsSearch {
  const cluster = searchText(search, 'cluster');
  const kind = searchWord(search, 'kind', OPERATION_KINDS);
  const status = searchWord(search, 'status', OPERATION_STATUSES);
  return {
    ...(cluster !== undefined && { cluster }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
  };
}
