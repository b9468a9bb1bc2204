import { OPERATION_KINDS, RECORD_STATUSES } from '#vocabulary';
import { enumParam, searchParser, stringParam } from '../../ui/format/search-param.ts';

export const parseOperationsSearch = searchParser({
  cluster: stringParam,
  kind: enumParam(OPERATION_KINDS),
  status: enumParam(RECORD_STATUSES),
});
export type OperationsSearch = ReturnType<typeof parseOperationsSearch>;
