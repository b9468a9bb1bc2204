import type { OperationKind, RecordStatus } from '#vocabulary';
import { OPERATION_KINDS, RECORD_STATUSES } from '#vocabulary';
import { enumParam, stringParam } from '../../ui/format/search-param.ts';

export interface OperationsSearch {
  readonly cluster?: string;
  readonly kind?: OperationKind;
  readonly status?: RecordStatus;
}

export function parseOperationsSearch(search: Record<string, unknown>): OperationsSearch {
  const cluster = stringParam(search, 'cluster');
  const kind = enumParam(search, 'kind', OPERATION_KINDS);
  const status = enumParam(search, 'status', RECORD_STATUSES);
  return {
    ...(cluster !== undefined && { cluster }),
    ...(kind !== undefined && { kind }),
    ...(status !== undefined && { status }),
  };
}
